import Command
import Output
import System

extension Bikes {
  static let ids = ids(bikeIDs)

  static func ids(_ source: WordSource) -> Operand<[String]> {
    Operand(
      rest: "ID", ValueKind<String>.text("ID", .words(source)).orInput,
      "The ids or names of bikes; '-' reads one per line")
  }

  /// Writes the result of `body` for each bike. With several bikes a failure is reported, and the others are processed.
  static func writeEach<R: Row>(
    _ call: Invocation, _ context: Context, _ client: BikesClient, _ body: (String) throws(Failure) -> R
  ) throws(Failure) {
    let ids = try call[ids]
    guard !ids.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "'hw bikes list --anywhere' shows the ids")
    }
    try context.writeEach(ids) { text throws(Failure) in try client.resolving(text, body) }
  }
}
