import Command
import Output
import System

extension Nodes {
  static let top = Command(
    "top", "List the top nodes of a ranking",
    discussion: """
      The service ranks at most 100 nodes. --where and --sort apply to these.

      Tables show BTC and local time, other formats satoshis and unix seconds. CSV and TSV contain place names in \
      one language, JSON in all. A condition such as 'country=Japan' accepts the name of a place in any language, and \
      the code of a country; --sort, < and > compare the English name.
      """,
    options: [by, language, human, Service.tokenFile],
    output: .list(
      RankedNode.self, order: "by rank", key: "publicKey",
      watch: .init(atLeast: .seconds(10), because: "the service caches its responses for ten seconds")
    ).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nodes top --limit 5", "the five nodes with the most channels"),
      Example("hw nodes top --by liquidity --where country=DE --lang de", "the largest nodes in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the total capacity"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service))
    let view = try NodeView(call, context, in: call[language])
    let ranking = try client.ranking(call[by])
    try context.output.write(
      ranking.enumerated().map { RankedNode(rank: $0.offset + 1, node: $0.element, view: view) })
  }

  static let names = Operand(
    rest: "NODE", ValueKind<String>.text("NODE", .words(aliases)).orInput,
    "A key, its first 8+ digits, or an alias; '-' reads lines")

  static let aliases = WordSource(of: service) {
    endpoint throws(Failure) in
    var seen: Set<String> = []
    return try NodesClient(endpoint: endpoint).ranking(.connectivity)
      .filter { seen.insert($0.alias.trimmed).inserted }
      .map { Choice($0.alias.trimmed, "\($0.publicKey.prefix(10))…, \($0.channels) channels") }
  }

  static let show = Command(
    "show", "Show nodes in detail",
    discussion: """
      NODE is a public key, the beginning of one (eight digits or more), or an alias. A key takes precedence over an \
      alias, and an alias in the same case over others. If several nodes match, they are listed and none is shown \
      (status 4). The service finds at most ten nodes: if it finds ten, a single match is not shown either, since \
      others may have the alias.

      Nodes are shown in the order given. A missing one is reported, the others are shown, and the status is that of \
      the first failure.
      """,
    usage: ["NODE...", "-"],
    operands: [names],
    options: [language, human, Service.tokenFile],
    output: .rows(NodeDetailRow.self, text: "One line per field."),
    needs: [.network],
    examples: [
      Example("hw nodes show lunar.dock.com", "by alias"),
      Example("hw nodes show 03e546e2a4 --json", "by the beginning of the key"),
      Example(
        "hw nodes top --tsv --no-header --fields publicKey -n 2 | hw nodes show -",
        "nodes from standard input"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service))
    let view = try NodeView(call, context, in: call[language])
    let names = try call[names]
    guard !names.isEmpty else {
      throw Failure(.usage, "missing operand NODE", hint: "a key, the beginning of a key, or an alias")
    }
    try context.writeEach(names) { name throws(Failure) in
      NodeDetailRow(node: try client.find(name), view: view)
    }
  }

  static let searchText = Operand(
    "TEXT", ValueKind<String>.text("TEXT", .words(aliases)), "Part of an alias, or the beginning of a key")

  static let search = Command(
    "search", "Search nodes by alias or key",
    discussion:
      "Lists at most ten nodes: those with TEXT in the alias, in any case, or at the beginning of the key.",
    operands: [searchText],
    options: [human, Service.tokenFile],
    output: .list(SearchResultRow.self, order: "in the order of the service", key: "publicKey"),
    needs: [.network],
    examples: [
      Example("hw nodes search harbour", "search by alias"),
      Example("hw nodes search 03e546e2 --json", "search by the beginning of a key"),
      Example("hw nodes search nobody-here --exit-status", "a search without results", exits: 1),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service))
    let text = try NodeName(try call[searchText]).text
    let view = try NodeView(call, context, in: .english)
    try context.output.write(client.search(text).map { SearchResultRow(node: $0, view: view) })
  }
}
