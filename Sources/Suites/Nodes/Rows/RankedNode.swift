import Output

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
    }
    .hiddenByDefault,
  ]
}
