/// What became of one node between two snapshots.
struct NodeChange {
  /// Nil for one that has joined.
  let old: Node?
  /// Nil for one that has left. One of the two is there.
  let new: Node?

  enum Kind: String, CaseIterable {
    case joined
    case left
    case changed
  }

  var kind: Kind { old == nil ? .joined : new == nil ? .left : .changed }
  var present: Node? { new ?? old }
  // Counts are not below 0, so no difference overflows.
  var channels: Int { (new?.channels ?? 0) - (old?.channels ?? 0) }
  var capacity: Int { (new?.capacity.amount ?? 0) - (old?.capacity.amount ?? 0) }

  /// Those who joined and left, and those whose channels, capacity or alias are others, the largest change of capacity
  /// first. When a node was last heard of changes all the time and is no change; nor is its place, which others move.
  static func between(_ old: [Node], _ new: [Node]) -> [NodeChange] {
    let before = Dictionary(old.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.map { ($0.publicKey, $0) }, uniquingKeysWith: { first, _ in first })
    var changes: [NodeChange] = []
    for (key, node) in after {
      let known = before[key]
      if known.map(node.differs) ?? true { changes.append(NodeChange(old: known, new: node)) }
    }
    for (key, node) in before where after[key] == nil { changes.append(NodeChange(old: node, new: nil)) }
    return changes.sorted { a, b in
      a.capacity.magnitude == b.capacity.magnitude
        ? a.key < b.key : a.capacity.magnitude > b.capacity.magnitude
    }
  }

  var key: String { present?.publicKey ?? "" }

}

extension Node {
  fileprivate func differs(from other: Node) -> Bool {
    channels != other.channels || capacity != other.capacity || alias != other.alias
  }
}
