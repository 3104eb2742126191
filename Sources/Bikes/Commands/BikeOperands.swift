import Command
import Output
import System

extension Bikes {
  static let ids = Operand(
    rest: "ID", ValueKind<String>.text("ID", .words(bikeIDs)),
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
    try context.output.write(each: R.self) { rows throws(Failure) in
      func write(_ id: String) throws(Failure) {
        let row = try context.attempt(oneOf: .max) { () throws(Failure) in try body(id) }
        if let row { try rows.write(row) }
      }
      for id in ids {
        if id == "-" {
          var lines = LineReader(context.input)
          while let line = try lines.nextText() {
            if !line.trimmed.isEmpty { try write(line.trimmed) }
          }
        } else {
          try write(id)
        }
      }
    }
  }
}
