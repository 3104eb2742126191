import Output
import System

/// A row of `hw nodes top`: a node with its rank.
struct RankedNode: Row {
  /// From 1.
  let rank: Int
  let node: Node
  let view: NodeView

  static let fields: Fields<RankedNode> = [
    .integer("rank", "Rank", "place in the ranking, from 1") { $0.rank },
    .text("alias", "Alias", "the alias of the node; not unique") { $0.node.alias },
    .integer("channels", "Channels", "open channels") { $0.node.channels }
      .shown { TableCell($0.view.count($0.node.channels)) },
    .integer("capacity", "Capacity", "sum of its channels, in satoshis; tables and Markdown show BTC") {
      $0.node.capacity.amount
    }
    .shown { TableCell($0.view.capacity($0.node.capacity)) }.inBitcoin,
    .object("country", "Country", "the country's names, locale → name", orNull: { $0.node.country?.names })
      .flattened { $0.view.place($0.node.country) }
      .sorted { $0.node.country?.sortKey.map(FieldValue.text) ?? .null }
      .compared { row in row.node.country.map { $0.all + [row.node.isoCode].compactMap { $0 } } },
    .object("city", "City", "the city's names, locale → name", orNull: { $0.node.city?.names })
      .flattened { $0.view.place($0.node.city) }
      .sorted { $0.node.city?.sortKey.map(FieldValue.text) ?? .null }.compared { $0.node.city?.all },
    .time("updatedAt", "Updated", "last gossip", orNull: { $0.node.updatedAt })
      .shown { $0.view.time($0.node.updatedAt) },
    .text("publicKey", "Key", "its public key, 66 hexadecimal digits") { $0.node.publicKey }.hiddenByDefault,
    .time("firstSeen", "First seen", "first gossip", orNull: { $0.node.firstSeen })
      .shown { $0.view.time($0.node.firstSeen) }.hiddenByDefault,
    .text("iso_code", "Code", "the country's two letters", orNull: { $0.node.isoCode }).hiddenByDefault,
    .object(
      "subdivision", "Region", "the names of the part of the country", orNull: { $0.node.subdivision?.names }
    )
    .flattened { $0.view.place($0.node.subdivision) }
    .sorted { $0.node.subdivision?.sortKey.map(FieldValue.text) ?? .null }.compared {
      $0.node.subdivision?.all
    }.hiddenByDefault,
  ]
}
