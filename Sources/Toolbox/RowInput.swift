import Command
import JSON
import Output
import System

/// What the input of `rows` is written as.
enum InputFormat: String, ChoiceValue {
  case json
  case csv
  case tsv

  var meaning: String {
    switch self {
    case .json: "arrays, or values one after another (JSON lines)"
    case .csv: "comma-separated (RFC 4180); the first line is the header"
    case .tsv: "tab-separated, with a header; \\t \\n \\r \\\\ are tab, newline, return and backslash"
    }
  }

  /// The format by the extension of a file's name.
  init(ofFile name: String) {
    let name = name.lowercased()
    self = name.hasSuffix(".csv") ? .csv : name.hasSuffix(".tsv") || name.hasSuffix(".tab") ? .tsv : .json
  }
}

/// The rows of one file, numbered from 1.
struct RowInput {
  private let reader: any RowReader
  private let file: String?
  private var number = 0

  init(_ source: any ByteSource, _ format: InputFormat, at path: JSON.Path?, file: String?) {
    self.file = file
    reader =
      switch format {
      case .json: path.map { NestedRows(source, at: $0) } ?? JSONRows(source)
      case .csv: RecordRows(CSVReader(source))
      case .tsv: RecordRows(TSVReader(source))
      }
  }

  /// The names of its header, once that was read; none of JSON.
  var header: [String] { reader.header }

  /// The next row. One that cannot be read is handed to `skip`, if there is one and the reader can go on behind it.
  mutating func next(skip: ((Failure) -> Void)?) throws(Failure) -> ForeignRow? {
    while true {
      do throws(Failure) {
        guard let json = try reader.next() else { return nil }
        number += 1
        return ForeignRow(json, number: number, file: file)
      } catch {
        number += 1
        var failure = error.asInput
        if failure.kind == .usage, skip != nil || file != nil {
          failure.message = ForeignRow.failure(error.message, number: number, file: file).message
        }
        guard let skip, failure.kind == .usage, try reader.passFailure() else { throw failure }
        skip(failure)
      }
    }
  }
}

/// Reads rows as JSON values.
private protocol RowReader: AnyObject {
  func next() throws(Failure) -> JSON?
  /// Goes behind the row that `next` failed at; false where no end of it can be found.
  func passFailure() throws(Failure) -> Bool
  var header: [String] { get }
}

extension RowReader {
  var header: [String] { [] }
}

/// Elements of arrays, or values one after another.
private final class JSONRows: RowReader {
  private var stream: JSONStream

  init(_ source: any ByteSource) {
    stream = JSONStream(source, concatenated: true)
  }

  func next() throws(Failure) -> JSON? { try stream.next() }
  func passFailure() throws(Failure) -> Bool { try stream.skipLine() != nil }
}

/// The elements of the array that is at a path in each value.
private final class NestedRows: RowReader {
  private let values: JSONRows
  private let path: JSON.Path
  private var elements: JSON.Elements?
  private var isInValue = false

  init(_ source: any ByteSource, at path: JSON.Path) {
    values = JSONRows(source)
    self.path = path
  }

  func next() throws(Failure) -> JSON? {
    while true {
      if let element = elements?.next() { return element }
      // Dropped before the next value is read, which can then use its memory.
      elements = nil
      isInValue = false
      guard let value = try values.next() else { return nil }
      isInValue = true
      elements = try value[path].array
    }
  }

  func passFailure() throws(Failure) -> Bool { isInValue ? true : try values.passFailure() }
}

/// The records of CSV or TSV as objects of texts, with the names of the header.
private final class RecordRows<Reader: RecordReader & ~Copyable>: RowReader {
  private var reader: Reader
  /// As they stand in JSON, each with its colon.
  private var names: [[UInt8]]?
  private(set) var header: [String] = []

  init(_ reader: consuming Reader) {
    self.reader = reader
  }

  func next() throws(Failure) -> JSON? {
    if names == nil {
      guard let first = try reader.next() else { return nil }
      var seen: Set<String> = []
      for name in first.fields where !seen.insert(name).inserted {
        throw Failure(.usage, "line \(first.line): the header has two fields '\(name)'")
      }
      header = first.fields
      names = header.map { name in
        var bytes: [UInt8] = []
        JSONWriter.appendString(name, to: &bytes)
        return bytes + [UInt8(ascii: ":")]
      }
    }
    guard let names, let record = try reader.next() else { return nil }
    var bytes = [UInt8(ascii: "{")]
    for (name, field) in zip(names, record.fields) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: name)
      JSONWriter.appendString(field, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
    return try JSON.parse(bytes)
  }

  func passFailure() -> Bool { names != nil && reader.canContinue }
}
