import Output
import Terminal

/// What became of one node between two snapshots.
struct NodeChange: Row {
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
  private var present: Node? { new ?? old }
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

  private var key: String { present?.publicKey ?? "" }

  static let fields: Fields<NodeChange> = [
    Field(
      Column(
        "change", title: "Change", meaning: "what became of the node",
        type: .choice(Kind.allCases.map(\.rawValue)))
    ) { .text($0.kind.rawValue) }
    .shown { TableCell($0.kind.rawValue, $0.style) },
    .text("alias", "Alias", "its alias now, or the last one") { $0.present?.alias ?? "" },
    .integer("channels.delta", "Channels ±", "channels won or lost") { $0.channels }
      .shown { TableCell(signed($0.channels, String($0.channels))) },
    .integer("capacity.delta", "Capacity ±", "satoshis won or lost; tables show BTC") { $0.capacity }
      .shown { TableCell(signed($0.capacity, Satoshis($0.capacity).bitcoin)) },
    .text("publicKey", "Key", "its public key") { $0.key },
    .text("alias_old", "Old alias", "its alias then", orNull: { $0.old?.alias }).hiddenByDefault,
    .integer("channels.old", "Old channels", "channels then", orNull: { $0.old?.channels }).hiddenByDefault,
    .integer("channels.new", "New channels", "channels now", orNull: { $0.new?.channels }).hiddenByDefault,
    .integer("capacity.old", "Old capacity", "satoshis then", orNull: { $0.old?.capacity.amount })
      .hiddenByDefault,
    .integer("capacity.new", "New capacity", "satoshis now", orNull: { $0.new?.capacity.amount })
      .hiddenByDefault,
  ]

  private static func signed(_ value: Int, _ text: String) -> String { value > 0 ? "+\(text)" : text }

  private var style: Style? {
    switch kind {
    case .joined: .green
    case .left: .red
    case .changed: nil
    }
  }
}

extension Node {
  fileprivate func differs(from other: Node) -> Bool {
    channels != other.channels || capacity != other.capacity || alias != other.alias
  }
}
