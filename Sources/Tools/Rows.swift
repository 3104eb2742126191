import Command
import JSON
import Output
import System

extension Toolbox {
  static let rowsFiles = Operand(
    rest: "FILE", ValueKind<String>.inputFile, "JSON files; '-' is standard input")
  static let rowsPath = Option(
    "path", ValueKind<String>.text("PATH"), "Read the array at PATH: data, result.items",
    details: "A document is read as a whole, up to 64 MB. Without an array at PATH it is an error.")
  static let rows = Command(
    "rows", "Convert JSON to a table, CSV, TSV or Markdown",
    discussion: """
      Reads arrays, or values one after another (JSON Lines, the pages of 'gh api'), and writes each element as a \
      row. JSON, CSV and TSV are written row by row; a table, --sort and '--fields all' need the whole input first. \
      Invalid input ends its file, and the command ends with status 2, after the rows before it and those of the \
      other files.

      --fields takes dotted paths into the elements. Write a name with dots, commas or spaces as a JSON string: \
      --fields 'id,"a.b"'. Without --fields, JSON contains every element unchanged, and a table has the names of all \
      rows. CSV and TSV have the names of the first row, and end with status 2 at a row with another name. '--fields \
      all' has the names of all rows, at most 10000. A value that is not an object is in the column 'value'. A name \
      that no row has is reported.

      A text with a date, a time of day and Z or an offset from UTC is compared and sorted as that instant. A date and \
      a time of day without an offset compare with others, or with the day, month (2025-01) or year of a condition. A \
      row that --where cannot compare exactly ends the command with status 2: a number with a time, or a text with \
      digits ('12 kg', '$5', '15.01.2025', '9:15' with '12:00') whose order is unknown. For = and != of a time, that \
      is any other text with its year. A text without digits is neither less nor greater. --sort refuses texts that \
      begin with such a number or a date in words; other texts have the order of their characters.
      """,
    usage: ["[FILE... | -]"],
    operands: [rowsFiles], options: [rowsPath],
    output: .anyRows,
    needs: [.input],
    examples: [
      Example(
        "echo '[{\"a\":1,\"b\":{\"c\":2}}]' | hw rows --fields a,b.c --csv",
        "select two columns, one of them nested"),
      Example("printf '{\"n\":2}\\n{\"n\":1}\\n' | hw rows --sort n --jsonl", "sort JSON Lines"),
      Example(
        "echo '{\"data\":[{\"a\":1},{\"b\":2}]}' | hw rows --path data", "read the array inside an object"),
      Example("echo '[{\"a\":1},{\"b\":2}]' | hw rows --fields all --csv", "the fields of all rows"),
    ]
  ) { call, context throws(Failure) in
    let files = try call[rowsFiles]
    if let path = files.first(where: { $0.hasPrefix(".") && !$0.contains("/") && !File.exists($0) }) {
      throw Failure(
        .usage, "there is no file '\(path)'", hint: "a path in the input is '--path \(path.dropFirst())'")
    }
    var inputs = RowInputs(files.isEmpty ? ["-"] : files, at: call[rowsPath], context)
    let unseen = try context.output.write { () throws(Failure) in try inputs.next() }
    for name in unseen { context.messages.report("no row has the field '\(name)'") }
  }
}

private struct RowInputs: ~Copyable {
  private let path: JSON.Path?
  private let context: Context
  private var files: ArraySlice<String>
  private let count: Int
  private var current: RowInput?

  init(_ files: [String], at path: String?, _ context: Context) {
    self.path = path.map { JSON.Path($0) }
    self.context = context
    self.files = files[...]
    count = files.count
  }

  mutating func next() throws(Failure) -> UndeclaredRow? {
    while true {
      do throws(Failure) {
        if current == nil {
          guard let file = files.popFirst() else { return nil }
          current = RowInput(
            FlushingSource(inner: try context.open(file), output: context.output), at: path,
            file: count > 1 ? file : nil)
        }
        if let row = try current?.next() { return row }
      } catch {
        // The other files are read nevertheless.
        _ = try context.attempt(oneOf: count) { () throws(Failure) in throw error }
      }
      current = nil
    }
  }
}

/// Writes the rows so far before each read, which may wait for long.
private struct FlushingSource: ByteSource {
  let inner: any ByteSource
  let output: Output

  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    try output.outlet.flush()
    return try inner.read(into: &buffer)
  }
}

/// Reads the rows of one file, numbered from 1: elements of arrays, or values one after another. With a path it reads
/// the elements of the array at the path in each value.
struct RowInput: ~Copyable {
  private var stream: JSONStream
  private let path: JSON.Path?
  private let file: String?
  private var number = 0
  private var elements: JSON.Elements?

  init(_ source: any ByteSource, at path: JSON.Path?, file: String?) {
    stream = JSONStream(source, concatenated: true)
    self.path = path
    self.file = file
  }

  mutating func next() throws(Failure) -> UndeclaredRow? {
    do throws(Failure) {
      guard let json = try nextValue() else { return nil }
      number += 1
      return UndeclaredRow(json, number: number, file: file)
    } catch {
      var failure = error.asInput
      if number == 0, failure.kind == .usage, path == nil {
        failure.hint = "rows reads JSON or JSON Lines; mlr or duckdb convert CSV and TSV"
      }
      if failure.kind == .usage, file != nil {
        failure.message = UndeclaredRow.failure(error.message, number: number + 1, file: file).message
      }
      throw failure
    }
  }

  private mutating func nextValue() throws(Failure) -> JSON? {
    guard let path else { return try stream.next() }
    while true {
      if let element = elements?.next() { return element }
      // Frees the memory before the next value is read.
      elements = nil
      guard let value = try stream.next() else { return nil }
      elements = try value[path].array
    }
  }
}
