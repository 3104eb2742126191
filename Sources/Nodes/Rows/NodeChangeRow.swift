import Output
import Terminal

extension NodeChange: Row {
  static let fields: Fields<NodeChange> = [
    .choice("change", "Change", "what has changed", \.kind).shown { TableCell($0.kind.rawValue, $0.style) },
    .text("alias", "Alias", "its current or last alias") { $0.current?.alias ?? "" },
    .integer("channels.delta", "Channels ±", "change in channels") { $0.channels }
      .shown { TableCell(signed($0.channels, String($0.channels))) },
    .integer("capacity.delta", "Capacity ±", "change in satoshis; tables show BTC") { $0.capacity }
      .shown { TableCell(signed($0.capacity, Satoshis($0.capacity).bitcoin)) },
    .text("publicKey", "Key", "its public key") { $0.key },
    .text("alias_old", "Old alias", "its alias before", orNull: { $0.old?.alias }).hiddenByDefault,
    .integer("channels.old", "Old channels", "channels before", orNull: { $0.old?.channels }).hiddenByDefault,
    .integer("channels.new", "New channels", "channels now", orNull: { $0.new?.channels }).hiddenByDefault,
    .integer("capacity.old", "Old capacity", "satoshis before", orNull: { $0.old?.capacity.amount })
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
