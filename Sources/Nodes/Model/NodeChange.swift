/// The difference of one node between two snapshots.
struct NodeChange {
  /// Nil if the node has joined.
  let old: Node?
  /// Nil if the node has left. At least one of the two is present.
  let new: Node?

  enum Kind: String, CaseIterable {
    case joined
    case left
    case changed
  }

  var kind: Kind { old == nil ? .joined : new == nil ? .left : .changed }
  /// The node now or, if it has left, as it was.
  var current: Node? { new ?? old }
  // Counts are not negative, so no difference overflows.
  var channels: Int { (new?.channels ?? 0) - (old?.channels ?? 0) }
  var capacity: Int { (new?.capacity.amount ?? 0) - (old?.capacity.amount ?? 0) }

  /// The nodes that joined, left, or have other channels, another capacity or another alias, sorted by the size of the
  /// change of capacity, then by key. The time of the last gossip changes constantly and does not count. Nor does the
  /// location, which the service determines.
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

  var key: String { current?.publicKey ?? "" }

}

extension Node {
  fileprivate func differs(from other: Node) -> Bool {
    channels != other.channels || capacity != other.capacity || alias != other.alias
  }
}
