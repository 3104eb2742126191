import JSON
import System

/// Columns as the nested object that their dotted paths describe, in the order they were chosen:
/// `home_team.full_name` and `home_team.id` share one member `home_team`.
struct ColumnTree {
  indirect enum Node {
    case leaf(name: String, column: Int)
    case branch(name: String, ColumnTree)

    var name: String {
      switch self {
      case .leaf(let name, _), .branch(let name, _): name
      }
    }
  }

  private(set) var nodes: [Node] = []

  /// An object names a member once: a path that stands here already, or lies inside one that does, adds nothing.
  init(paths: [String]) {
    let chosen = Set(paths)
    var seen: Set<String> = []
    for (index, path) in paths.enumerated() {
      let isInside = path.indices.contains { path[$0] == "." && chosen.contains(String(path[..<$0])) }
      guard !isInside, seen.insert(path).inserted else { continue }
      insert(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...], index)
    }
  }

  private init() {}

  private mutating func insert(_ steps: ArraySlice<String>, _ column: Int) {
    guard let name = steps.first else { return }
    if steps.count == 1 {
      nodes.append(.leaf(name: name, column: column))
      return
    }
    for (index, node) in nodes.enumerated() {
      if case .branch(name, var tree) = node {
        tree.insert(steps.dropFirst(), column)
        nodes[index] = .branch(name: name, tree)
        return
      }
    }
    var tree = ColumnTree()
    tree.insert(steps.dropFirst(), column)
    nodes.append(.branch(name: name, tree))
  }
}

/// A row as JSON text with its keys and punctuation prepared, so that a row costs no more than its values.
struct JSONRow {
  /// What stands between the values, all of it, and where in that each part ends: one before each value, one behind
  /// the last.
  private let text: [UInt8]
  private let ends: [Int]
  private let columns: [Int]

  /// Between two rows of an array: each row has its own line, so that `grep` and `diff` see rows.
  static let separator = [UInt8(ascii: ","), UInt8(ascii: "\n")]

  init(paths: [String]) {
    var builder = Builder()
    builder.appendObject(ColumnTree(paths: paths))
    text = builder.text
    columns = builder.columns
    ends = builder.ends + [builder.text.count]
  }

  func append(_ cells: [FieldValue], to bytes: inout [UInt8]) {
    let (columns, cells) = (columns.span, cells.span)
    for place in columns.indices {
      appendText(before: place, to: &bytes)
      cells[columns[place]].appendJSON(to: &bytes)
    }
    appendText(before: columns.count, to: &bytes)
  }

  /// Appends a value of a row, or all of them with what stands around them.
  typealias Append<R> = @Sendable (R, inout [UInt8]) -> Void

  /// What appends a whole row, out of what appends the value of each column. Halves within halves: a closure that
  /// stands in another is called as it is, one that stands in a list is counted up and down for every call.
  func joined<R>(_ appenders: [Append<R>]) -> Append<R> {
    let end = Array(text[(ends.dropLast().last ?? 0)...])
    let values: Append<R> = joined(appenders, columns.indices) ?? { _, _ in }
    return { row, bytes in
      values(row, &bytes)
      unsafe end.withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
    }
  }

  private func joined<R>(_ appenders: [Append<R>], _ places: Range<Int>) -> Append<R>? {
    if places.count > 1 {
      let middle = places.lowerBound + places.count / 2
      guard let first = joined(appenders, places.lowerBound..<middle),
        let second = joined(appenders, middle..<places.upperBound)
      else { return nil }
      return { row, bytes in
        first(row, &bytes)
        second(row, &bytes)
      }
    }
    guard let place = places.first else { return nil }
    let before = Array(text[(place == 0 ? 0 : ends[place - 1])..<ends[place]])
    let append = appenders[columns[place]]
    return { row, bytes in
      unsafe before.withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
      append(row, &bytes)
    }
  }

  @inline(__always)
  private func appendText(before place: Int, to bytes: inout [UInt8]) {
    unsafe text.span.extracting((place == 0 ? 0 : ends[place - 1])..<ends[place]).withUnsafeBufferPointer {
      unsafe bytes.append(few: $0)
    }
  }

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
