import Output
import System
import Terminal

struct RankedNode: Row {
  let rank: Int
  let node: Node
  let view: NodeView

  static let fields: Fields<RankedNode> = [
    .integer("rank", "Rank", "place in the ranking, from 1") { $0.rank },
    .text("alias", "Alias", "the alias of the node; not unique") { $0.node.alias },
    .integer("channels", "Channels", "open channels") { $0.node.channels }
      .shown { $0.view.count($0.node.channels) },
    .integer("capacity", "Capacity (BTC)", "sum of its channels, in satoshis; BTC in tables") {
      $0.node.capacity.amount
    }
    .shown { $0.view.capacity($0.node.capacity) }.inBitcoin,
    .location(
      "country", "Country", "the country's names, locale → name", in: \.view, code: \.node.isoCode,
      \.node.country),
    .time("updatedAt", "Updated", "last gossip", orNull: { $0.node.updatedAt })
      .shown { $0.view.time($0.node.updatedAt) },
    Field.location("city", "City", "the city's names, locale → name", in: \.view) { $0.node.city }
      .hiddenByDefault,
    .text("publicKey", "Key", "its public key, 66 hexadecimal digits") { $0.node.publicKey }.hiddenByDefault,
    .time("firstSeen", "First seen", "first gossip", orNull: { $0.node.firstSeen })
      .shown { $0.view.time($0.node.firstSeen) }.hiddenByDefault,
    .text("iso_code", "Code", "the country's two letters", orNull: { $0.node.isoCode }).hiddenByDefault,
    Field.location("subdivision", "Region", "the names of the part of the country", in: \.view) {
      $0.node.subdivision
    }.hiddenByDefault,
  ]
}

struct SearchResultRow: Row {
  let node: FoundNode
  let view: NodeView

  static let fields: Fields<SearchResultRow> = [
    .text("alias", "Alias", "the alias of the node; not unique", orNull: { $0.node.alias }),
    .integer("channels", "Channels", "open channels", orNull: { $0.node.channels })
      .shown { $0.view.count($0.node.channels) },
    .integer(
      "capacity", "Capacity (BTC)", "sum of its channels, in satoshis; BTC in tables",
      orNull: { $0.node.capacity?.amount }
    )
    .shown { $0.view.capacity($0.node.capacity) }.inBitcoin,
    .text("publicKey", "Key", "its public key, 66 hexadecimal digits") { $0.node.publicKey },
  ]
}

struct NodeDetailRow: Row {
  let node: NodeDetail
  let view: NodeView

  static let fields: Fields<NodeDetailRow> = shown + hidden.map(\.hiddenByDefault)

  private static let shown: Fields<NodeDetailRow> = [
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
      "country", "Country", "the country's names, locale → name", in: \.view, code: \.node.isoCode,
      \.node.country),
    .location(
      "subdivision", "Region", "the names of the part of the country", in: \.view, \.node.subdivision),
    .location("city", "City", "the city's names, locale → name", in: \.view) { $0.node.city },
    .time("firstSeen", "First seen", "first gossip", orNull: { $0.node.firstSeen })
      .shown { $0.view.time($0.node.firstSeen) },
    .time("updatedAt", "Updated", "last gossip", orNull: { $0.node.updatedAt })
      .shown { $0.view.time($0.node.updatedAt) },
    .text("sockets", "Sockets", "the addresses of the node, comma-separated", orNull: { $0.node.sockets }),
  ]

  private static let hidden: Fields<NodeDetailRow> = [
    .text("as_organization", "Operator", "the operator of its network", orNull: { $0.node.organization }),
    .text("iso_code", "Code", "the country's two letters", orNull: { $0.node.isoCode }),
    .text("color", "Color", "the color of the node, #rrggbb", orNull: { $0.node.color }),
    .integer("opened_channel_count", "Opened", "channels ever opened", orNull: { $0.node.opened }),
    .integer("closed_channel_count", "Closed", "channels ever closed", orNull: { $0.node.closed }),
  ]

  /// A line per field that has a value.
  static let text: (@Sendable (NodeDetailRow, Screen?) -> String)? = { row, screen in
    // The unit follows the value, so that the line of the key has at most 80 columns.
    func parts(_ field: Field<NodeDetailRow>) -> [String] { field.column.title.split(by: " (") }
    let width = fields.map { parts($0)[0].count }.max() ?? 0
    return fields.filter(\.column.isShown).map { field in
      guard let value = field.text(of: row) else { return "" }
      let title = parts(field)[0]
      let unit = parts(field).dropFirst().first.map { " \($0.dropLast())" } ?? ""
      let heading = screen?.color == true ? Style.bold.applied(to: title) : title
      return "\(heading)\(String(repeating: " ", count: width - title.count))  \(value.terminalSafe)\(unit)\n"
    }.joined()
  }
}
