import Command
import JSON
import Output
import System

extension Toolbox {
  static let rowsFile = Operand(
    optional: "FILE", ValueKind<String>.file, "A JSON file; '-' is standard input")
  static let rows = Command(
    "rows", "Write any JSON array or JSON lines as a table, CSV, TSV or JSON",
    discussion: """
      Reads one array, or values one after another (JSON lines), and writes each element as a row as soon as it is \
      complete, in the memory of one row. --fields takes dotted paths into the elements; without it the columns are \
      the names in the first row, and JSON formats pass every element on whole. The input is held to RFC 8259 to its \
      last byte: what came before an error has been written.
      """,
    usage: ["[FILE | -]"],
    operands: [rowsFile],
    output: .anyRows,
    needs: [.input],
    examples: [
      Example(
        "echo '[{\"a\":1,\"b\":{\"c\":2}}]' | hw rows --fields a,b.c --csv", "two columns, one of them nested"
      ),
      Example("printf '{\"n\":2}\\n{\"n\":1}\\n' | hw rows --sort n --jsonl", "JSON lines, sorted"),
      Example(
        "echo '[1,2' | hw rows --tsv", "half an array: the rows that were there, then an error", exits: 2),
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    var stream = JSONStream(try context.open(call[rowsFile]))
    let output = context.output
    stream.beforeRead = { () throws(Failure) in try output.outlet.flush() }
    try output.write { () throws(Failure) -> JSON? in
      do throws(Failure) {
        return try stream.next()
      } catch {
        throw error.asInput
      }
    }
  }
}
