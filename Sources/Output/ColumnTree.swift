import JSON

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

  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    let (columns, cells) = (columns.span, cells.span)
    for place in columns.indices {
      appendText(before: place, to: &bytes)
      cells[columns[place]].appendJSON(to: &bytes)
    }
    appendText(before: columns.count, to: &bytes)
  }

  /// `appenders` write the value of a column each.
  func append<R>(
    _ row: R, _ appenders: [@Sendable (R, inout [UInt8]) -> Void], to bytes: inout [UInt8]
  ) {
    let (columns, appenders) = (columns.span, appenders.span)
    for place in columns.indices {
      appendText(before: place, to: &bytes)
      appenders[columns[place]](row, &bytes)
    }
    appendText(before: columns.count, to: &bytes)
  }

  @inline(__always)
  private func appendText(before place: Int, to bytes: inout [UInt8]) {
    unsafe text.span.extracting((place == 0 ? 0 : ends[place - 1])..<ends[place]).withUnsafeBufferPointer {
      unsafe bytes.append(contentsOf: $0)
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
