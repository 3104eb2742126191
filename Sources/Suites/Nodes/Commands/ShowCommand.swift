import Command
import System

extension Nodes {
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
    let view = NodeView(call, context)
    let names = try call[names]
    guard !names.isEmpty else {
      throw Failure(.usage, "missing operand NODE", hint: "a key, the beginning of a key, or an alias")
    }
    try context.writeEach(names) { name throws(Failure) in
      NodeDetailRow(node: try client.find(name), view: view)
    }
  }
}
