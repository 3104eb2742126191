import Command
import Output
import System

extension Bikes {
  static let ids = Operand(
    rest: "ID", ValueKind<String>.text("ID", .words(bikeIDs)).orInput,
    "The ids of bikes; '-' reads one per line")

  /// Writes what `body` returns for each bike: for a single operand one row, else rows. A failure of one bike is
  /// reported, and the others are processed all the same.
  static func writeEach<R: Row>(
    _ call: Invocation, _ context: Context, _ body: (String) throws(Failure) -> R
  ) throws(Failure) {
    let ids = try call[ids]
    guard let first = ids.first else {
      throw Failure(.usage, "missing operand ID", hint: "'hw bikes list --anywhere' shows the ids")
    }
    if ids.count == 1, first != "-" { return try context.output.write(body(first)) }
    try context.writeEach(ids, body)
  }
}
