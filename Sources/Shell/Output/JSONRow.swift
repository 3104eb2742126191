import JSON
import System

/// Row as JSON text with prepared keys and punctuation, so that a row costs no more than its values.
struct JSONRow {
  /// Text between the values, in parts that end at `ends`: one before each value, and one after the last.
  private let text: [UInt8]
  private let ends: [Int]
  /// Columns of the values, in the order of the text.
  private let columns: [Int]

  /// Separator of rows in an array: each row has its own line, for `grep` and `diff`.
  static let separator = [UInt8(ascii: ","), UInt8(ascii: "\n")]

  init(_ columns: [Column]) {
    var builder = Builder()
    builder.appendObject(ColumnTree(columns))
    text = builder.text
    self.columns = builder.columns
    ends = builder.ends + [builder.text.count]
  }

  func append(_ values: [FieldValue], to bytes: inout [UInt8]) {
    let (columns, values) = (columns.span, values.span)
    for place in columns.indices {
      appendText(before: place, to: &bytes)
      values[columns[place]].appendJSON(to: &bytes)
    }
    appendText(before: columns.count, to: &bytes)
  }

  /// Appends a value of a row, or a whole row.
  typealias Append<R> = @Sendable (R, inout [UInt8]) -> Void

  /// Joins the appenders of the columns into one for a row, in halves: a captured closure is called directly, while
  /// one in a list is retained and released for every call.
  func joined<R>(_ appenders: [Append<R>]) -> Append<R> {
    let end = Array(text[part(columns.count)])
    let values = joined(appenders, columns.indices)
    return { row, bytes in
      values(row, &bytes)
      unsafe end.withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
    }
  }

  private func joined<R>(_ appenders: [Append<R>], _ places: Range<Int>) -> Append<R> {
    if places.count > 1 {
      let middle = places.lowerBound + places.count / 2
      let first = joined(appenders, places.lowerBound..<middle)
      let second = joined(appenders, middle..<places.upperBound)
      return { row, bytes in
        first(row, &bytes)
        second(row, &bytes)
      }
    }
    guard !places.isEmpty else { return { _, _ in } }
    let place = places.lowerBound
    let before = Array(text[part(place)])
    let append = appenders[columns[place]]
    return { row, bytes in
      unsafe before.withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
      append(row, &bytes)
    }
  }

  @inline(__always)
  private func appendText(before place: Int, to bytes: inout [UInt8]) {
    unsafe text.span.extracting(part(place)).withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
  }

  @inline(__always)
  private func part(_ place: Int) -> Range<Int> { (place == 0 ? 0 : ends[place - 1])..<ends[place] }

  private struct Builder {
    var text: [UInt8] = []
    var ends: [Int] = []
    var columns: [Int] = []

    mutating func appendObject(_ tree: ColumnTree) {
      text.append(UInt8(ascii: "{"))
      for (index, node) in tree.nodes.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        switch node {
        case .leaf(let name, let column):
          appendKey(name)
          ends.append(text.count)
          columns.append(column)
        case .branch(let name, let tree):
          appendKey(name)
          appendObject(tree)
        }
      }
      text.append(UInt8(ascii: "}"))
    }

    private mutating func appendKey(_ name: String) {
      JSONWriter.appendString(name, to: &text)
      text.append(UInt8(ascii: ":"))
    }
  }
}
