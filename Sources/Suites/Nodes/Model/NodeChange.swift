/// The difference of one node between two snapshots.
struct NodeChange {
  /// The node in the older snapshot; nil if the node has entered the ranking.
  let old: Node?
  /// The node in the newer snapshot; nil if the node has left the ranking.
  let new: Node?
  /// The node in the newer snapshot or, if it has left the ranking, in the older one.
  let current: Node

  init(old: Node?, new: Node) {
    self.old = old
    self.new = new
    current = new
  }

  init(left old: Node) {
    self.old = old
    new = nil
    current = old
  }

  /// A ranking has at most 100 nodes. So a node that is in one snapshot alone has crossed the last rank; whether it is
  /// new in the network is unknown.
  enum Kind: String, CaseIterable {
    case entered
    case left
    case changed
  }

  var kind: Kind { old == nil ? .entered : new == nil ? .left : .changed }
  /// The change of the channels; nil if one of the two is unknown. Counts are not negative, so no difference overflows.
  var channels: Int? { difference { $0.channels } }
  /// The change of the capacity in satoshis; nil if one of the two is unknown.
  var capacity: Int? { difference { $0.capacity.amount } }

  private func difference(_ count: (Node) -> Int) -> Int? {
    guard let old, let new else { return nil }
    return count(new) - count(old)
  }

  /// The nodes that have other channels, another capacity or another alias, sorted by the size of the change of
  /// capacity, then those that entered or left the ranking, sorted by capacity; equal ones by key. The time of the last gossip changes constantly and does not count. Nor does the
  /// location, which the service determines.
  static func between(_ old: [Node], _ new: [Node]) -> [NodeChange] {
    let before = Dictionary(
      old.map { ($0.publicKey.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(
      new.map { ($0.publicKey.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    var changes: [NodeChange] = []
    for (key, node) in after {
      let known = before[key]
      if known.map(node.differs) ?? true { changes.append(NodeChange(old: known, new: node)) }
    }
    for (key, node) in before where after[key] == nil { changes.append(NodeChange(left: node)) }
    return changes.sorted { a, b in
      (a.kind == .changed ? 0 : 1, b.size, a.key) < (b.kind == .changed ? 0 : 1, a.size, b.key)
    }
  }

  private var size: UInt { (capacity ?? current.capacity.amount).magnitude }

  var key: String { current.publicKey }
}

extension Node {
  fileprivate func differs(from other: Node) -> Bool {
    channels != other.channels || capacity != other.capacity || alias != other.alias
  }
}
