import Command
import Output
import System

extension Nodes {
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
    let view = NodeView(language: .english, isHuman: call[human], time: context.time)
    try context.output.write(client.search(text).map { SearchResultRow(node: $0, view: view) })
  }
}
