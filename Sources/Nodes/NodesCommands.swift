import Command
import HTTP
import Output
import Server
import System
import Terminal

/// The nodes suite.
public enum Nodes {
  public static let suite = Suite(
    "nodes", "Lightning nodes: rankings, single nodes, snapshots, differences",
    discussion: """
      Asks mempool.space for the best nodes of the Lightning network. Capacities are satoshis, 100 000 000 of which \
      are a bitcoin; times are unix seconds. The service keeps its answers for ten seconds: asking more often shows \
      nothing new.
      """,
    backend: { settings throws(Failure) in NodesBackend(settings).backend },
    commands: [top]
  )

  static let service = Service("nodes", address: "https://mempool.space")

  static let by = Option("by", .choice, default: Ranking.connectivity, "Rank by channels, capacity or age")
  static let limit = Option("limit", short: "n", .count(1...100), default: 100, "Show at most N nodes")
  static let country = Option(
    "country", ValueKind<String>.text("CODE|NAME"), "Show the nodes of one country",
    details: "The two letters of its code, or its name in any language.")
  static let sort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: RankedNode.sortable), "Sort by a field",
    details: "Without it, by rank. Nodes without the field come last; of equals the smaller key comes first.")
  static let language = Option(
    "lang", ValueKind<Language>.language, setting: true, "Show places in a language",
    details: """
      Where a place has no name in it, one of the same language is shown, then the English one, then any. Without it \
      LC_ALL, LC_MESSAGES and LANG decide, as for other programs.
      """)
  static let human = Option(
    "human", setting: true, "Show numbers and times as people say them: 1.2k, 704.4 BTC, 3 days ago")

  static let top = Command(
    "top", "List the best nodes",
    discussion: """
      The ranking is the service's: by connectivity (channels), liquidity (capacity) or age. --country and --sort \
      choose and order among its nodes, of which there are at most 100, and --limit counts what is left.

      Tables show capacity in BTC and times by the clock of this place; every other format has satoshis and unix \
      seconds. CSV and TSV have the name of a place in the language, JSON its names in all.
      """,
    options: [by, limit, country, sort, language, human],
    output: .rows(RankedNode.self),
    needs: [.network, .pager],
    examples: [
      Example("hw nodes top --limit 5", "the five best connected"),
      Example("hw nodes top --by liquidity --country DE --lang de", "the largest in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the satoshis of them all"),
    ]
  ) { call, context throws(Failure) in
    let view = NodeView(call, context)
    let nodes = try NodesClient(endpoint: context.endpoint(service)).ranking(call[by])
    try context.output.write(Choosing(call).rows(of: nodes, in: view))
  }
}

extension Ranking: ChoiceValue {
  var meaning: String {
    switch self {
    case .connectivity: "the most channels first"
    case .liquidity: "the most capacity first"
    case .age: "the longest known first"
    }
  }
}

extension ValueKind where Value == Language {
  static var language: ValueKind {
    ValueKind(
      "LANG", wants: "a language such as \(Language.known.joined(separator: ", "))",
      show: { $0.tag }
    ) { Language($0) }
  }
}
