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
    service: service,
    backend: { settings throws(Failure) in NodesBackend(settings).backend },
    checks: checks,
    commands: [top, show, snapshot, diff, snapshots]
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
  static let chart = Option(
    "chart", "Draw the ranking as bars, as wide as the terminal, or 80 columns")
  static let watch = Option(
    "watch", ValueKind<Int>.count(10...86_400, "SECONDS"), "Ask again every SECONDS",
    details: """
      Ten at least: the service knows nothing newer. On a terminal the table is drawn in place, arrows scroll and q \
      leaves; elsewhere it is printed anew each time, and under --jsonl only what has changed, with a rank of null \
      for a node that has left. When the service fails, the last good table stays, and standard error or the last \
      line says so.
      """)

  static let top = Command(
    "top", "List the best nodes",
    discussion: """
      The ranking is the service's: by connectivity (channels), liquidity (capacity) or age. --country and --sort \
      choose and order among its nodes, of which there are at most 100, and --limit counts what is left.

      Tables show capacity in BTC and times by the clock of this place; every other format has satoshis and unix \
      seconds. CSV and TSV have the name of a place in the language, JSON its names in all.
      """,
    options: [by, limit, country, sort, language, human, chart, watch],
    output: .rows(RankedNode.self),
    needs: [.network, .pager, .list],
    examples: [
      Example("hw nodes top --limit 5", "the five best connected"),
      Example("hw nodes top --by liquidity --country DE --lang de", "the largest in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the satoshis of them all"),
    ]
  ) { call, context throws(Failure) in
    let view = NodeView(call, context)
    let client = NodesClient(endpoint: try context.endpoint(service))
    let choosing = Choosing(call)
    func ask() throws(Failure) -> [RankedNode] { choosing.rows(of: try client.ranking(call[by]), in: view) }

    if let seconds = call[watch] {
      guard !call[chart] else { throw Failure(.usage, "'--chart' does not go with '--watch'") }
      let watch = Watch(every: .seconds(seconds), context: context, ask: ask)
      let format = try context.output.format(for: RankedNode.self)
      if format == .table, context.host.output.isTerminal {
        try watch.runOnScreen()
      } else {
        try watch.run()
      }
    } else if call[chart] {
      try RankingChart(ranking: call[by]).write(ask(), to: context.output)
    } else {
      try context.output.write(ask())
    }
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
