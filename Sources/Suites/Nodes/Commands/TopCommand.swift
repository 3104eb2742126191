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
    let view = NodeView(call, context)
    let ranking = try client.ranking(call[by])
    try context.output.write(
      ranking.enumerated().map { RankedNode(rank: $0.offset + 1, node: $0.element, view: view) })
  }
}
