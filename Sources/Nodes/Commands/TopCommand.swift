import Command
import Output
import System
import Terminal

extension Nodes {
  static let countries = WordSource("countries", "the codes of the countries") { _, _ in
    Country.all.map { Choice($0.code, $0.englishName) }
  }
  static let country = Option(
    "country", ValueKind<String>.text("CODE|NAME", .words(countries)), "List nodes of one country",
    details: """
      CODE has two letters. NAME can be in each language of the service. A country without nodes is an empty list, and \
      an unknown country is an error.
      """)
  static let chart = Option(
    "chart", "Draw a bar chart",
    details: "It is as wide as the terminal, or has 80 columns.")
  static let top = Command(
    "top", "List the top nodes of a ranking",
    discussion: """
      The service ranks at most 100 nodes: by connectivity (channels), liquidity (capacity) or age. --country, --where \
      and --sort filter and sort these nodes.

      Tables and Markdown show capacity in BTC and times in local time. JSON, CSV and TSV contain satoshis and unix seconds. CSV and TSV \
      contain place names in one language, JSON in all languages. --where and --sort use the names of the format.
      """,
    options: [by, network, country, language, human, chart, Service.tokenFile],
    exclusions: [Exclusion(chart, from: ListOptions.watch, StandardOptions.output, StandardOptions.fields)],
    output: .list(
      RankedNode.self, order: "by rank", key: "publicKey",
      watch: .init(atLeast: .seconds(10), because: "the service caches its responses for ten seconds")),
    needs: [.network, .pager],
    examples: [
      Example("hw nodes top --limit 5", "the five nodes with the most channels"),
      Example("hw nodes top --by liquidity --country DE --lang de", "the largest nodes in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the total capacity"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service), network: call[network])
    let view = NodeView(call, context)
    let ranking = try client.ranking(call[by])
    let isShown = try call[country].map { text throws(Failure) in try nodes(in: text, among: ranking) }
    let rows = ranking.enumerated()
      .map { RankedNode(rank: $0.offset + 1, node: $0.element, view: view) }
      .filter { row in isShown.map { $0(row.node) } ?? true }
    if call[chart] {
      try RankingChart(ranking: call[by]).write(context.output.selected(rows), to: context.output)
    } else {
      try context.output.write(rows)
    }
  }
}

extension Nodes {
  /// Whether a node is in the country. Fails (`usage`) if neither ISO 3166 nor the ranking has a country of that name.
  fileprivate static func nodes(
    in text: String, among ranking: [Node]
  ) throws(Failure) -> (Node) -> Bool {
    let text = text.trimmed
    if let country = Country.named(text) { return { $0.isIn(country) } }
    if ranking.contains(where: { $0.isIn(text) }) { return { $0.isIn(text) } }
    let codes = Set(ranking.compactMap(\.isoCode)).sorted()
    throw Failure(
      .usage, "unknown country '\(text)'",
      hint: Suggestion.phrase(for: text, among: Country.allNames)
        ?? "countries of this ranking: \(codes.joined(separator: ", "))")
  }
}

/// A ranking as bars: what it ranks by, a line a node.
struct RankingChart {
  let ranking: Ranking

  func write(_ rows: [RankedNode], to output: Output) throws(Failure) {
    let lines = BarChart(rows.map(bar)).lines(
      width: output.settings.screen?.width ?? RankingChart.defaultWidth)
    for line in lines { try output.outlet.write(line + "\n") }
  }

  /// The width if standard output is not a terminal.
  private static let defaultWidth = 80

  private func bar(_ row: RankedNode) -> BarChart.Bar {
    let node = row.node
    return switch ranking {
    case .connectivity: BarChart.Bar(node.alias, Double(node.channels), row.view.count(node.channels))
    case .liquidity:
      BarChart.Bar(node.alias, Double(node.capacity.amount), row.view.capacity(node.capacity))
    case .age:
      BarChart.Bar(
        node.alias, node.firstSeen.map { Double(max(0, row.view.time.now().seconds - $0.seconds)) } ?? 0,
        row.view.time(node.firstSeen).text)
    }
  }
}
