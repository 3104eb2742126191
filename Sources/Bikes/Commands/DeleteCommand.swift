import Command
import Output
import System
import Terminal

extension Bikes {
  static let delete = Command(
    "delete", "Take a bike out of the system",
    discussion: """
      Its owner may, while it is free. The original server has no way to do it. On a terminal it asks before.
      """,
    operands: [id], options: [Confirmation.yes, Confirmation.dryRun, tokenFile],
    output: .plain("A line that says so, or under --dry-run what would be done."),
    needs: [.network, .writes, .loss],
    examples: [
      Example("hw bikes delete 1 --yes", "Hans goes home"),
      Example("hw bikes delete 1 --dry-run", "what that would do"),
      Example("hw bikes delete 5 --yes", "it is out", exits: 4),
    ],
    failures: [.no, .connection, .conflict, .notFound, .unauthorized]
  ) { call, context throws(Failure) in
    let id = try call[id]
    let client = try client(context)
    guard !call[Confirmation.dryRun] else {
      let bike = try client.bike(id)
      return try context.output.outlet.write(
        "bike \(id.terminalSafe), \(bike.name.terminalSafe), would be deleted\n")
    }
    try context.confirmWhereAttended("Delete bike \(id.terminalSafe)?")
    do throws(Failure) { try client.delete(id) } catch { throw error.told { context.messages.report($0) } }
    try context.output.outlet.write("bike \(id.terminalSafe) is deleted\n")
  }
}
