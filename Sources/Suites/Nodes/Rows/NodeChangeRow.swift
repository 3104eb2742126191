import Output
import System
import Terminal

extension NodeChange: Row {
  static let fields: Fields<NodeChange> = shown + hidden.map(\.hiddenByDefault)

  private static let shown: Fields<NodeChange> = [
    .choice("change", "Change", "what has changed; 'entered' and 'left' refer to the ranking", \.kind)
      .shown { TableCell($0.kind.rawValue, $0.style) },
    .text("alias", "Alias", "the current or last alias of the node") { $0.current.alias },
    .integer(
      "channels.delta", "Channels ±", "change in channels; null if it entered or left",
      orNull: { $0.channels }
    )
    .shown { signed($0.channels) { String($0) } },
    .integer(
      "capacity.delta", "BTC ±", "change in satoshis, BTC in tables; null if it entered or left",
      orNull: { $0.capacity }
    )
    .shown { signed($0.capacity) { Satoshis($0).bitcoin } }.inBitcoin,
    .text("publicKey", "Key", "its public key") { $0.current.publicKey },
  ]

  private static let hidden: Fields<NodeChange> = [
    .text("oldAlias", "Old alias", "the previous alias of the node", orNull: { $0.old?.alias }),
    .integer("channels.old", "Old channels", "channels in the older ranking", orNull: { $0.old?.channels }),
    .integer("channels.new", "New channels", "channels in the newer ranking", orNull: { $0.new?.channels }),
    .integer(
      "capacity.old", "Old satoshis", "capacity in the older ranking, in satoshis",
      orNull: { $0.old?.capacity.amount }
    ).inBitcoin,
    .integer(
      "capacity.new", "New satoshis", "capacity in the newer ranking, in satoshis",
      orNull: { $0.new?.capacity.amount }
    ).inBitcoin,
  ]

  private static func signed(_ value: Int?, _ text: (Int) -> String) -> TableCell {
    guard let value else { return TableCell(.null) }
    return TableCell(value > 0 ? "+\(text(value))" : text(value))
  }

  private var style: Style? {
    switch kind {
    case .entered: .green
    case .left: .red
    case .changed: nil
    }
  }

  /// A line of text for e-mail: `changed  ACINQ  KEY  +7 channels  -0.00000100 BTC`.
  var line: String {
    func sign(_ value: Int) -> String { value > 0 ? "+" : "" }
    let facts = [
      channels.map { "\(sign($0))\($0) channels" },
      capacity.map { "\(sign($0))\(Satoshis($0).bitcoin) BTC" },
      old.flatMap { old in new.flatMap { $0.alias == old.alias ? nil : "was \(old.alias)" } },
    ]
    let parts = [kind.rawValue, current.alias, current.publicKey] + facts.compactMap { $0 }
    return parts.map(\.terminalSafe).joined(separator: "  ")
  }
}
