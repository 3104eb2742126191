import Output
import System
import Terminal

/// A row of `hw nodes show`.
struct NodeDetailRow: Row {
  let node: NodeDetail
  let view: NodeView

  static let fields: Fields<NodeDetailRow> = [
    .text("publicKey", "Key", "its public key, 66 hexadecimal digits") { $0.node.publicKey },
    .text("alias", "Alias", "the alias of the node; not unique") { $0.node.alias },
    .integer("channels", "Channels", "open channels", orNull: { $0.node.channels })
      .shown { $0.view.count($0.node.channels) },
    .integer(
      "capacity", "Capacity (BTC)", "sum of its channels, in satoshis; BTC in tables",
      orNull: { $0.node.capacity?.amount }
    )
    .shown { $0.view.capacity($0.node.capacity) }.inBitcoin,
    .location(
      "country", "Country", "the country's names, locale → name", in: \.view, code: { $0.node.isoCode }
    ) {
      $0.node.country
    },
    .location("subdivision", "Region", "the names of the part of the country", in: \.view) {
      $0.node.subdivision
    },
    .location("city", "City", "the city's names, locale → name", in: \.view) { $0.node.city },
    .time("firstSeen", "First seen", "first gossip", orNull: { $0.node.firstSeen })
      .shown { $0.view.time($0.node.firstSeen) },
    .time("updatedAt", "Updated", "last gossip", orNull: { $0.node.updatedAt })
      .shown { $0.view.time($0.node.updatedAt) },
    .text("sockets", "Sockets", "the addresses of the node, comma-separated", orNull: { $0.node.sockets }),
    .text("as_organization", "Operator", "the operator of its network", orNull: { $0.node.organization })
      .hiddenByDefault,
    .text("iso_code", "Code", "the country's two letters", orNull: { $0.node.isoCode }).hiddenByDefault,
    .text("color", "Color", "the color of the node, #rrggbb", orNull: { $0.node.color })
      .hiddenByDefault,
    .integer(
      "opened_channel_count", "Opened", "channels ever opened", orNull: { $0.node.opened }
    ).hiddenByDefault,
    .integer(
      "closed_channel_count", "Closed", "channels ever closed", orNull: { $0.node.closed }
    ).hiddenByDefault,
  ]

  /// A card: one line per field that has a value.
  static let text: (@Sendable (NodeDetailRow, Screen?) -> String)? = { row, screen in
    Card.text(row, screen) + "\n"
  }
}
