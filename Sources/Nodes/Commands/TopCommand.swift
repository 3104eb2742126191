import Command
import Output
import System
import Terminal

extension Nodes {
  static let limit = Option("limit", short: "n", .count(1...100), default: 100, "Show at most N nodes")
  static let country = Option(
    "country", ValueKind<String>.text("CODE|NAME"), "Show the nodes of one country",
    details: "The two letters of its code, or its name in any language.")
  static let sort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: RankedNode.sortable), "Sort by a field",
    details: "Without it, by rank. Nodes without the field come last; of equals the smaller key comes first.")
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
    let selection = RankingSelection(call)
    func ask() throws(Failure) -> [RankedNode] { selection.rows(of: try client.ranking(call[by]), in: view) }

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

/// The rows of a ranking that are shown, and their order.
struct RankingSelection {
  var country: String?
  var sort: SortOrder?
  var limit: Int

  func rows(of nodes: [Node], in view: NodeView) -> [RankedNode] {
    var rows: [RankedNode] = []
    for (index, node) in nodes.enumerated() where matches(node) {
      rows.append(RankedNode(rank: index + 1, node: node, view: view))
    }
    if let sort {
      // Equal rows are sorted by key, so that the order is always the same.
      rows.sort { $0.node.publicKey < $1.node.publicKey }
      rows = sort.sorted(rows) { $0.cell(sort.field) }
    }
    return Array(rows.prefix(limit))
  }

  private func matches(_ node: Node) -> Bool {
    guard let country else { return true }
    if let code = node.isoCode, code.lowercased() == country.lowercased() { return true }
    return node.country?.contains(country) ?? false
  }
}

extension RankingSelection {
  init(_ call: Invocation) {
    country = call[Nodes.country]
    sort = call[Nodes.sort]
    limit = call[Nodes.limit]
  }
}

/// A ranking as bars, one line per node.
struct RankingChart {
  let ranking: Ranking

  func write(_ rows: [RankedNode], to output: Output) throws(Failure) {
    if let format = output.settings.format, format != .table {
      throw Failure(
        .usage, "'--chart' is for people and does not go with '--\(format.rawValue)'",
        hint: "leave one of the two out")
    }
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
        node.alias, Double(max(0, row.view.time.now().seconds - node.firstSeen.seconds)),
        row.view.time(node.firstSeen).text)
    }
  }
}
