import Command
import Output
import System
import Terminal

/// A node with its place in a ranking, as it is printed.
struct RankedNode: Row {
  /// From 1; nil for one that has left the ranking.
  let rank: Int?
  let node: Node
  let view: NodeView

  static let fields: Fields<RankedNode> = [
    .integer(
      "rank", "Rank", "place in the ranking, from 1; null for a node that has left it", orNull: { $0.rank }),
    .text("alias", "Alias", "the name the node gives itself; not unique") { $0.node.alias },
    .integer("channels", "Channels", "open channels") { $0.node.channels }
      .shown { TableCell($0.view.count($0.node.channels)) },
    .integer("capacity", "Capacity", "sum of its channels, in satoshis; tables show BTC") {
      $0.node.capacity.amount
    }
    .shown { TableCell($0.view.capacity($0.node.capacity)) },
    .object("country", "Country", "the country's names, locale → name", orNull: { $0.node.country?.names })
      .flattened { $0.view.place($0.node.country) },
    .object("city", "City", "the city's names, locale → name", orNull: { $0.node.city?.names })
      .flattened { $0.view.place($0.node.city) },
    .time("updatedAt", "Updated", "last heard of", orNull: { $0.node.updatedAt })
      .shown { $0.view.time($0.node.updatedAt) },
    .text("publicKey", "Key", "its public key, 66 hexadecimal digits") { $0.node.publicKey }.hiddenByDefault,
    .time("firstSeen", "First seen", "first heard of") { $0.node.firstSeen }
      .shown { $0.view.time($0.node.firstSeen) }.hiddenByDefault,
    .text("iso_code", "Code", "the country's two letters", orNull: { $0.node.isoCode }).hiddenByDefault,
    .object(
      "subdivision", "Region", "the names of the part of the country", orNull: { $0.node.subdivision?.names }
    )
    .flattened { $0.view.place($0.node.subdivision) }.hiddenByDefault,
  ]

  static let sortable = ["alias", "channels", "capacity", "firstSeen", "updatedAt", "country"]

  /// What `--sort` compares.
  func cell(_ field: String) -> Cell {
    switch field {
    case "alias": .text(node.alias)
    case "channels": .integer(Int64(node.channels))
    case "capacity": .integer(Int64(node.capacity.amount))
    case "firstSeen": .integer(node.firstSeen.seconds)
    case "updatedAt": node.updatedAt.map { .integer($0.seconds) } ?? .null
    case "country": view.place(node.country)
    default: .null
    }
  }
}

/// How nodes are shown to a person: in which language, by which clock, in round numbers or whole ones.
struct NodeView {
  let language: Language
  let isHuman: Bool
  let time: any TimeKeeper

  func count(_ number: Int) -> String { isHuman ? HumanText.count(number) : String(number) }

  func capacity(_ amount: Satoshis) -> String { isHuman ? amount.roundedBitcoin : amount.bitcoin }

  func place(_ name: LocatedName?) -> Cell { name?[language].map(Cell.text) ?? .null }

  func time(_ instant: Timestamp?) -> TableCell {
    guard let instant else { return TableCell(.null) }
    return TableCell(
      isHuman ? HumanText.age(of: instant, now: time.now()) : time.local(instant).minutes)
  }
}

extension NodeView {
  init(_ call: Invocation, _ context: Context) {
    language = call[Nodes.language] ?? Language(environment: context.host.environment)
    isHuman = call[Nodes.human]
    time = context.time
  }
}

/// Which rows of a ranking are shown, and in which order.
struct Choosing {
  var country: String?
  var sort: SortOrder?
  var limit: Int

  func rows(of nodes: [Node], in view: NodeView) -> [RankedNode] {
    var rows: [RankedNode] = []
    for (index, node) in nodes.enumerated() where isWanted(node) {
      rows.append(RankedNode(rank: index + 1, node: node, view: view))
    }
    if let sort {
      // Of equals the smaller key comes first, so that the order is the same every time.
      rows.sort { $0.node.publicKey < $1.node.publicKey }
      rows = sort.sorted(rows) { $0.cell(sort.field) }
    }
    return Array(rows.prefix(limit))
  }

  private func isWanted(_ node: Node) -> Bool {
    guard let country else { return true }
    if let code = node.isoCode, code.lowercased() == country.lowercased() { return true }
    return node.country?.isCalled(country) ?? false
  }
}

extension Choosing {
  init(_ call: Invocation) {
    country = call[Nodes.country]
    sort = call[Nodes.sort]
    limit = call[Nodes.limit]
  }
}
