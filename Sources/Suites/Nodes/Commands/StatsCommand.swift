import Command
import Output
import System

extension Nodes {
  static let stats = Command(
    "stats", "Show statistics of the network",
    discussion:
      "The service measures once a day: 'added' is the time. 'previous' is the measurement a week before.",
    options: [network, human, Service.tokenFile],
    output: .one(NetworkStatisticsRow.self, text: "One line per field that has a value."),
    needs: [.network],
    examples: [
      Example("hw nodes stats", "nodes, channels and capacity"),
      Example(
        "hw nodes stats --json | jq '.node_count - .previous.node_count'", "the nodes gained in a week"),
    ]
  ) { call, context throws(Failure) in
    let client = NodesClient(endpoint: try context.endpoint(service), network: call[network])
    try context.output.write(
      NetworkStatisticsRow(
        statistics: client.statistics(), network: call[network], view: NodeView(human: call[human], context)))
  }
}
