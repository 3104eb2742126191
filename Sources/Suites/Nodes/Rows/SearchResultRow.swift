import Output

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
