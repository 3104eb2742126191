struct NodeChange {
  /// The older state; nil if the node has entered the ranking.
  let old: Node?
  /// The newer state; nil if the node has left the ranking.
  let new: Node?
  /// The newest known state.
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

  /// A node in only one snapshot has crossed the last rank. Whether it is new in the network is unknown.
  enum Kind: String, CaseIterable {
    case entered
    case left
    case changed
  }

  var kind: Kind { old == nil ? .entered : new == nil ? .left : .changed }
  /// The difference; nil if the node is in only one snapshot. Counts are not negative, so it does not overflow.
  var channels: Int? { difference { $0.channels } }
  var capacity: Int? { difference { $0.capacity.amount } }

  private func difference(_ count: (Node) -> Int) -> Int? {
    guard let old, let new else { return nil }
    return count(new) - count(old)
  }

  /// The nodes with another number of channels, capacity or alias, the largest change of capacity first, then those
  /// that entered or left, the largest capacity first; equal ones by key. Ignores the time of the last gossip, which
  /// changes constantly, and the location, which the service determines.
  static func between(_ old: [Node], _ new: [Node]) -> [NodeChange] {
    let before = Dictionary(old.map { ($0.publicKey.lowercased(), $0) }) { first, _ in first }
    let after = Dictionary(new.map { ($0.publicKey.lowercased(), $0) }) { first, _ in first }
    var changes: [NodeChange] = []
    for (key, node) in after {
      let known = before[key]
      if known.map(node.differs) ?? true { changes.append(NodeChange(old: known, new: node)) }
    }
    for (key, node) in before where after[key] == nil { changes.append(NodeChange(left: node)) }
    return changes.sorted { a, b in
      (a.kind == .changed ? 0 : 1, b.size, a.current.publicKey)
        < (b.kind == .changed ? 0 : 1, a.size, b.current.publicKey)
    }
  }

  private var size: UInt { (capacity ?? current.capacity.amount).magnitude }
}

extension Node {
  fileprivate func differs(from other: Node) -> Bool {
    channels != other.channels || capacity != other.capacity || alias != other.alias
  }
}
