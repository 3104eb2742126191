import System

/// Reads CSV (RFC 4180) in constant memory: fields separated by commas, quoted if they contain a comma, a quote
/// (doubled) or a line break; records end with LF or CRLF. Anything else is an error with its line, and so is a
/// record whose number of fields differs from the first. After a syntax error, reading continues at the next line.
public struct CSVReader: ~Copyable, RecordReader {
  /// Some programs begin a file with a byte order mark. The first field after it may be quoted.
  private static let byteOrderMark: (start: [UInt8], end: UInt8) = ([0xEF, 0xBB], 0xBF)

  private let source: any ByteSource
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private var at = 0
  private var filled = 0
  private var line = 1
  private var width: Int?
  public var canContinue: Bool { true }

  public init(_ source: any ByteSource) { self.source = source }

  /// Next record; nil at the end. Skips empty lines.
  public mutating func next() throws(Failure) -> DelimitedRecord? {
    while true {
      let start = line
      guard let record = try record() else { return nil }
      if record.isEmpty { continue }
      var fields: [String] = []
      for field in record {
        guard let text = String(validating: field, as: UTF8.self) else {
          throw DelimitedRecord.syntaxError("invalid UTF-8", start)
        }
        fields.append(text)
      }
      if let width, fields.count != width {
        throw DelimitedRecord.wrongWidth(fields.count, not: width, start)
      }
      width = fields.count
      return DelimitedRecord(fields: fields, line: start)
    }
  }

  private enum State { case start, bare, quoted, closed }

  /// Fields of a record; none for an empty line, unlike a record of one empty field, `""`.
  private mutating func record() throws(Failure) -> [[UInt8]]? {
    let first = line
    var fields: [[UInt8]] = []
    var field: [UInt8] = []
    var state = State.start
    var size = 0
    while let byte = try nextByte() {
      size += 1
      if byte == UInt8(ascii: "\n") {
        line += 1
      } else if size > DelimitedRecord.longest {
        try fail("a record is longer than \(DelimitedRecord.longest) bytes", first)
      }
      switch (state, byte) {
      case (.quoted, UInt8(ascii: "\"")): state = .closed
      case (.quoted, _): field.append(byte)
      case (.closed, UInt8(ascii: "\"")):
        field.append(byte)
        state = .quoted
      case (_, UInt8(ascii: ",")):
        fields.append(field)
        field = []
        state = .start
      case (_, UInt8(ascii: "\n")), (_, UInt8(ascii: "\r")):
        if byte == UInt8(ascii: "\r") {
          guard try nextByte() == UInt8(ascii: "\n") else {
            try fail("a return without a line feed", line)
          }
          line += 1
        }
        if state == .start, fields.isEmpty { return [] }
        fields.append(field)
        return fields
      case (.start, UInt8(ascii: "\"")): state = .quoted
      case (.start, _):
        field.append(byte)
        state = .bare
      case (.bare, UInt8(ascii: "\"")):
        try fail("a quote within a field that has none around it", line)
      case (.bare, CSVReader.byteOrderMark.end)
      where size == 3 && first == 1 && field == CSVReader.byteOrderMark.start:
        field = []
        state = .start
      case (.bare, _): field.append(byte)
      case (.closed, _): try fail("text after a closing quote", line)
      }
    }
    guard state != .quoted else {
      let last = field.last == UInt8(ascii: "\n") ? line - 1 : line
      let swallowed = last > first ? ": all up to line \(last) is one field" : ""
      throw DelimitedRecord.syntaxError("a quote is never closed\(swallowed)", first)
    }
    if state == .start, fields.isEmpty { return nil }
    fields.append(field)
    return fields
  }

  private mutating func nextByte() throws(Failure) -> UInt8? {
    if at == filled {
      filled = try source.read(into: &buffer)
      at = 0
      if filled == 0 { return nil }
    }
    defer { at += 1 }
    return buffer[at]
  }

  /// Skips the rest of the line, so that reading can continue, and throws a syntax error.
  private mutating func fail(_ message: String, _ line: Int) throws(Failure) -> Never {
    while let byte = try nextByte(), byte != UInt8(ascii: "\n") {}
    self.line += 1
    throw DelimitedRecord.syntaxError(message, line)
  }
}
