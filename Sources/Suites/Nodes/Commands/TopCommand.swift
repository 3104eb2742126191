import Command
import Output
import System

extension Nodes {
  static let top = Command(
    "top", "List the top nodes of a ranking",
    discussion: """
      The service ranks at most 100 nodes: by connectivity (channels), liquidity (capacity) or age. --where and \
      --sort filter and sort these nodes.

      Tables and Markdown show capacity in BTC and times in local time. JSON, CSV and TSV contain satoshis and unix seconds. CSV and TSV \
      contain place names in one language, JSON in all languages. 'country=' and 'city=' find any of these names; --sort, < and > compare the English ones.
      """,
    options: [by, network, language, human, Service.tokenFile],
    output: .list(
      RankedNode.self, order: "by rank", key: "publicKey",
      watch: .init(atLeast: .seconds(10), because: "the service caches its responses for ten seconds")),
    needs: [.network],
    examples: [
      Example("hw nodes top --limit 5", "the five nodes with the most channels"),
      Example("hw nodes top --by liquidity --where country=DE --lang de", "the largest nodes in Germany"),
      Example("hw nodes top --json | jq '[.[].capacity] | add'", "the total capacity"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service), network: call[network])
    let view = NodeView(call, context)
    let ranking = try client.ranking(call[by])
    try context.output.write(
      ranking.enumerated().map { RankedNode(rank: $0.offset + 1, node: $0.element, view: view) })
  }
}
