import System

/// Record of CSV or TSV.
public struct DelimitedRecord {
  public let fields: [String]
  /// Line number of the record's start, from 1.
  public let line: Int

  /// A longer record is an error: without this limit, an unclosed quote would read the whole file.
  public static let longest = 1 << 20

  static func wrongWidth(_ found: Int, not width: Int, _ line: Int) -> Failure {
    syntaxError("expected \(width) field\(width == 1 ? "" : "s"), found \(found)", line)
  }

  static func syntaxError(_ message: String, _ line: Int) -> Failure {
    Failure(.usage, "line \(line): \(message)", cause: .input(line: line))
  }
}

/// Reader of records, of which the first has the names of the fields.
public protocol RecordReader: ~Copyable {
  /// Returns the next record; nil at the end. After an error, the next call reads on if `canContinue`.
  mutating func next() throws(Failure) -> DelimitedRecord?
  var canContinue: Bool { get }
}
