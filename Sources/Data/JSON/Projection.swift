extension JSON {
  /// Finds the values at many paths in each of many rows, with one pass over a row. Following a path walks over the
  /// members of an object, which is the fastest way to a few values. For many, this would multiply columns by members,
  /// so the paths form a tree whose nodes look up member names in a table.
  public struct Projection {
    private var tree: PathTree
    /// Index of the value of each path; -1 if there is none.
    private var found: [Int]
    private var document: Document?

    public init(_ paths: [JSON.Path]) {
      tree = PathTree(paths.map(\.steps))
      found = paths.map { _ in -1 }
    }

    public var count: Int { found.count }

    /// First name of the row that no path begins with; nil if there is none, or the row is no object.
    public var otherName: String? {
      guard let document, let index = tree.otherName else { return nil }
      return document.string(index)
    }

    public mutating func find(in row: JSON) {
      document = row.missing == nil ? row.document : nil
      if let document { tree.find(in: document, row.index, &found) }
    }

    public subscript(place: Int) -> JSON? {
      guard let document, found[place] >= 0 else { return nil }
      return JSON(document: document, index: found[place])
    }

    @discardableResult public func appendBare(_ place: Int, to output: inout [UInt8]) -> Bool {
      guard let document, found[place] >= 0 else { return false }
      return document.appendBare(found[place], to: &output)
    }
  }
}

/// Tree of paths. The nodes are in one array, so that no path is too long for the stack.
struct PathTree {
  /// A name may lead to two nodes: `["2"]` and `2` are one name, but only the second is also an element's number.
  private struct Targets {
    var first: Int
    var second = -1
  }

  private struct Node {
    var names = NameTable()
    var byName: [Targets] = []
    /// Sorted by number, which paths may write differently: `[2]`, `2`, `02`.
    var byNumber: [(number: Int, target: Int)] = []

    mutating func add(_ step: Step, _ target: Int) {
      switch step {
      case .name(let name): add(name, target)
      case .element(let number): byNumber.append((number, target))
      case .either(let name, let number):
        add(name, target)
        byNumber.append((number, target))
      }
    }

    private mutating func add(_ name: [UInt8], _ target: Int) {
      if let place = names.insert(name) {
        byName[place].second = target
      } else {
        byName.append(Targets(first: target))
      }
    }
  }

  private struct Edge: Hashable {
    let parent: Int
    let step: Step
  }

  private var nodes: [Node]
  /// Node at the end of each path.
  private let ends: [Int]
  /// Index of the value at each node; -1 if there is none.
  private var values: [Int]
  private(set) var otherName: Int?

  init(_ paths: [[Step]]) {
    var edges: [Edge] = []
    var targets: [Edge: Int] = [:]
    ends = paths.map { steps in
      steps.reduce(0) { parent, step in
        let edge = Edge(parent: parent, step: step)
        if let known = targets[edge] { return known }
        edges.append(edge)
        targets[edge] = edges.count
        return edges.count
      }
    }
    nodes = [Node](repeating: Node(), count: edges.count + 1)
    values = [Int](repeating: -1, count: nodes.count)
    for (place, edge) in edges.enumerated() { nodes[edge.parent].add(edge.step, place + 1) }
    for index in nodes.indices { nodes[index].byNumber.sort { $0.number < $1.number } }
  }

  mutating func find(in document: Document, _ index: Int, _ found: inout [Int]) {
    for node in values.indices { values[node] = -1 }
    otherName = nil
    values[0] = index
    // Nodes precede those below them, so one pass reaches all.
    for node in nodes.indices where values[node] >= 0 { descend(from: node, in: document) }
    for (place, end) in ends.enumerated() { found[place] = values[end] }
  }

  private mutating func descend(from node: Int, in document: Document) {
    let container = values[node]
    guard document.entry(container).isContainer else { return }
    let end = container + document.entry(container).length
    var at = container + 1
    if document.firstByte(document.entry(container)) == UInt8(ascii: "{") {
      guard !nodes[node].byName.isEmpty else {
        if node == 0 && at < end { otherName = at }
        return
      }
      var expected = 0
      while at < end {
        if let name = nodes[node].names.find(at, in: document, expected: expected) {
          // If a name occurs twice, the last one counts.
          set(nodes[node].byName[name], to: at + 1)
          expected = name + 1
        } else if node == 0 && otherName == nil {
          otherName = at
        }
        at += 1 + document.entry(at + 1).stride
      }
      return
    }
    var number = 0
    for place in nodes[node].byNumber.indices {
      while at < end, number < nodes[node].byNumber[place].number {
        at += document.entry(at).stride
        number += 1
      }
      guard at < end else { return }
      values[nodes[node].byNumber[place].target] = at
    }
  }

  private mutating func set(_ targets: Targets, to index: Int) {
    values[targets.first] = index
    if targets.second >= 0 { values[targets.second] = index }
  }
}

/// Names with their numbers in the order of insertion. Each process has its own hash key, so no input makes collisions.
struct NameTable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// Number plus one of the name in each slot, or 0. The count is a power of two, at least twice that of the names.
  private var slots: [Int] = []
  /// Bit n is set if a name has n bytes; 63 stands for more.
  private var lengths: UInt64 = 0

  /// Inserts a name with the next number; returns the number of a known one.
  mutating func insert(_ name: [UInt8]) -> Int? {
    if 2 * (ends.count + 1) > slots.count { rehash(max(8, 2 * slots.count)) }
    return unsafe name.withUnsafeBufferPointer { name in
      let slot = unsafe slot(of: name)
      if slots[slot] > 0 { return slots[slot] - 1 }
      unsafe bytes.append(contentsOf: name)
      ends.append(bytes.count)
      slots[slot] = ends.count
      lengths |= 1 << UInt64(min(63, name.count))
      return nil
    }
  }

  /// Number of the name at that entry; nil if it is unknown. Compares the `expected` one first.
  func find(_ index: Int, in document: Document, expected: Int) -> Int? {
    let entry = document.entry(index)
    if entry.isComplex {
      var text: [UInt8] = []
      document.appendText(index, to: &text)
      return unsafe text.withUnsafeBufferPointer { unsafe find($0) }
    }
    let name = unsafe UnsafeBufferPointer(
      start: document.base + Int(entry.start) + 1, count: entry.length - 2)
    if expected < ends.count, unsafe isSame(expected, name) { return expected }
    return unsafe find(name)
  }

  private func find(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard lengths & 1 << UInt64(min(63, name.count)) != 0 else { return nil }
    let found = unsafe slots[slot(of: name)]
    return found > 0 ? found - 1 : nil
  }

  /// Slot of the name, or the empty slot where it belongs.
  private func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(name))
    var slot = hasher.finalize() & (slots.count - 1)
    while slots[slot] > 0, unsafe !isSame(slots[slot] - 1, name) { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  @inline(__always)
  private func isSame(_ number: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == name.count else { return false }
    return unsafe bytes.withUnsafeBufferPointer { bytes in
      // An empty name has no address.
      guard let known = bytes.baseAddress, let name = name.baseAddress else { return true }
      return unsafe Document.isSame(known + start, name, ends[number] - start)
    }
  }

  private mutating func rehash(_ count: Int) {
    slots = [Int](repeating: 0, count: count)
    for number in ends.indices {
      let start = number == 0 ? 0 : ends[number - 1]
      unsafe bytes.withUnsafeBufferPointer { bytes in
        let slot = unsafe slot(of: UnsafeBufferPointer(rebasing: bytes[start..<ends[number]]))
        slots[slot] = number + 1
      }
    }
  }
}
