import System

/// Reads TSV as hw writes it: fields separated by tabs, with the escapes `\t`, `\n`, `\r` and `\\`. Any other
/// backslash is literal. A line whose number of fields differs from the first is an error, after which reading
/// continues.
public struct TSVReader: RecordReader {
  private var lines: LineReader
  private var width: Int?
  /// False after a line that is too long, whose end was not read.
  public private(set) var canContinue = true

  public init(_ source: any ByteSource) { lines = LineReader(source, longest: DelimitedRecord.longest) }

  /// Next record; nil at the end. Skips empty lines, unless records have one field.
  public mutating func next() throws(Failure) -> DelimitedRecord? {
    while let text = try nextLine() {
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false).map {
        TSVReader.unescaped($0)
      }
      if fields == [""], width != 1 { continue }
      if let width, fields.count != width {
        throw DelimitedRecord.wrongWidth(fields.count, not: width, lines.number)
      }
      width = fields.count
      return DelimitedRecord(fields: fields, line: lines.number)
    }
    return nil
  }

  private mutating func nextLine() throws(Failure) -> String? {
    let number = lines.number
    do throws(Failure) {
      return try lines.nextText()
    } catch {
      canContinue = lines.number > number
      throw error
    }
  }

  private static func unescaped(_ field: Substring) -> String {
    guard field.utf8.contains(UInt8(ascii: "\\")) else { return String(field) }
    var text: [UInt8] = []
    var rest = field.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let letter = rest.first, let meant = meaning(of: letter) else {
        text.append(byte)
        continue
      }
      text.append(meant)
      rest.removeFirst()
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func meaning(of letter: UInt8) -> UInt8? {
    "\t\n\r\\".utf8.first { DelimitedText.escape(of: $0) == letter }
  }
}
