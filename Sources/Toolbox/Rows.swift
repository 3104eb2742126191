import Command
import JSON
import Output
import System

extension Toolbox {
  static let rowsFiles = Operand(
    rest: "FILE", ValueKind<String>.inputFile, "JSON, CSV or TSV files; '-' is standard input")
  static let rowsFrom = Option(
    "from", ValueKind<InputFormat>.choice, "Read input as FORMAT",
    details: "The default is csv for FILE.csv, tsv for FILE.tsv and FILE.tab, else json.")
  static let rowsAt = Option(
    "at", ValueKind<String>.text("PATH"), "Read the array at PATH: data, result.items",
    details: "Each document is read as a whole, up to 64 MB. A document without an array at PATH is an error."
  )
  static let rowsKeepGoing = Option(
    "keep-going", "Report bad input and continue after it",
    details: """
      For JSON lines, CSV and TSV only: in an array the start of the next row is unknown. The exit status is 2 at the \
      end.
      """)

  static let rows = Command(
    "rows", "Convert JSON, CSV or TSV to a table, CSV, TSV or JSON",
    discussion: """
      Reads arrays, or values one after another (JSON lines), and writes each element as a row. JSON, CSV and TSV are \
      written row by row; a table, --sort and '--fields all' need the whole input first. Several arrays in a row, as \
      'gh api' prints pages, are one list. Invalid input (RFC 8259) ends its file, and the command ends with status 2. \
      JSON, CSV and TSV contain the rows before it, and those of the files after it; a JSON array is closed.

      --fields takes dotted paths into the elements; a name with dots, commas or spaces is written as a JSON string: \
      --fields 'id,"a.b"'. Without --fields, JSON formats contain every element unchanged, and tables have the names of \
      all rows. CSV and TSV have the names of the first row that is written, and end with status 2 at a row that has \
      another name. If no row is written, CSV, TSV and tables have the names of the first row of the input, or of its \
      header. \
      With '--fields all' they have the names of all rows, and the whole input is read first. \
      A value that is not an object is in the column 'value'. \
      A name that no row has is reported on standard error.

      The values of CSV and TSV are texts; --sort and --where compare texts that are numbers by value. \
      A dot in a name of a column has no special meaning.
      """,
    usage: ["[FILE... | -]"],
    operands: [rowsFiles], options: [rowsFrom, rowsAt, rowsKeepGoing],
    output: .anyRows,
    needs: [.input],
    examples: [
      Example(
        "echo '[{\"a\":1,\"b\":{\"c\":2}}]' | hw rows --fields a,b.c --csv",
        "select two columns, one of them nested"
      ),
      Example("printf '{\"n\":2}\\n{\"n\":1}\\n' | hw rows --sort n --jsonl", "sort JSON Lines"),
      Example("printf 'n,name\\n2,b\\n10,a\\n' | hw rows --from csv --sort -n --json", "convert CSV to JSON"),
      Example(
        "echo '{\"data\":[{\"a\":1},{\"b\":2}]}' | hw rows --at data", "read the array inside an object"),
      Example("echo '[{\"a\":1},{\"b\":2}]' | hw rows --fields all --csv", "the fields of all rows"),
    ]
  ) { call, context throws(Failure) in
    let files = try call[rowsFiles]
    var inputs = try RowInputs(
      files.isEmpty ? ["-"] : files, call[rowsFrom], at: call[rowsAt], context,
      keepGoing: call[rowsKeepGoing])
    let unseen = try context.output.write(inputs.input, header: { inputs.header }) { () throws(Failure) in
      try inputs.next()
    }
    for name in unseen { context.messages.report("no row has the field '\(name)'") }
  }
}

/// The files of the command line, one after another.
private struct RowInputs {
  let input: ForeignInput
  private let skip: ((Failure) -> Void)?
  private let format: InputFormat
  private let path: JSON.Path?
  private let context: Context
  private var files: ArraySlice<String>
  private let count: Int
  private var current: RowInput?
  /// The header of the first file that has one.
  private(set) var header: [String] = []

  init(
    _ files: [String], _ format: InputFormat?, at path: String?, _ context: Context, keepGoing: Bool
  ) throws(Failure) {
    let formats = format.map { [$0] } ?? files.map { InputFormat(ofFile: $0) }
    let first = formats[0]
    if let other = formats.firstIndex(where: { $0 != first }) {
      throw Failure(
        .usage,
        "'\(files[0])' is read as \(first.rawValue), but '\(files[other])' as \(formats[other].rawValue)",
        hint: "convert one of them first; if a name misleads, use --from FORMAT for all")
    }
    if path != nil, first != .json {
      throw Failure(.usage, "'--at' requires JSON: \(first.rawValue) has no arrays")
    }
    skip = keepGoing ? { context.failures.report($0) } : nil
    input = ForeignInput(isFlat: first != .json, skip: skip)
    self.format = first
    self.path = path.map { JSON.Path($0) }
    self.context = context
    self.files = files[...]
    count = files.count
  }

  mutating func next() throws(Failure) -> ForeignRow? {
    while true {
      if current == nil {
        guard let file = files.popFirst() else { return nil }
        current = try context.attempt(oneOf: count) { () throws(Failure) in
          let source = FlushingSource(inner: try context.open(file), output: context.output)
          return RowInput(source, format, at: path, file: count > 1 ? file : nil)
        }
        continue
      }
      if let row = try nextOfCurrent() { return row }
      if header.isEmpty, let names = current?.header { header = names }
      current = nil
    }
  }

  private mutating func nextOfCurrent() throws(Failure) -> ForeignRow? {
    let skip = skip
    do throws(Failure) {
      return try current?.next(skip: skip)
    } catch {
      // A file that cannot be read is no reason to leave out the others.
      return try context.attempt(oneOf: count) { () throws(Failure) -> ForeignRow? in throw error } ?? nil
    }
  }
}

/// Writes what is known before a read, which may wait for long.
private struct FlushingSource: ByteSource {
  let inner: any ByteSource
  let output: Output

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    try output.outlet.flush()
    return try inner.read(into: &buffer)
  }
}
