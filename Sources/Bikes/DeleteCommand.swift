import Command
import Output
import System
import Terminal

extension Bikes {
  static let delete = Command(
    "delete", "Take a bike out of the system",
    discussion: "Its owner may, while it is free. The original server has no way to do it.",
    operands: [id], options: [tokenFile],
    output: .plain("A line that says so."),
    needs: [.network, .writes],
    examples: [
      Example("hw bikes delete 1", "Hans goes home"),
      Example("hw bikes delete 5", "it is out", exits: 4),
    ],
    failures: [.connection, .conflict, .notFound, .unauthorized]
  ) { call, context throws(Failure) in
    let id = try call[id]
    try client(context).delete(id)
    try context.output.outlet.write("bike \(id.neutralised) is deleted\n")
  }
}
