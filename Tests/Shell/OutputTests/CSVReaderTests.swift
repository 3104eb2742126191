import System
import TestSupport
import Testing

@testable import Output

/// RFC 4180 and nothing looser. A record is shown as its fields with `|` between them.
@Suite struct CSVReaderTests {
  @Test func textsAreReadAsRecorded() throws {
    func read(_ text: String, _ chunk: Int) -> [String] {
      do throws(Failure) {
        let records = try all(text, chunk).map { $0.fields.joined(separator: "|") }
        return records.map { "= \($0.replacing("\n", with: "⏎").replacing("\u{FEFF}", with: "{U+FEFF}"))" }
      } catch {
        return ["! \(error.described)"]
      }
    }
    try RecordedText.holdTexts("csv.txt") { text in
      let whole = read(text, 1000)
      for chunk in [1, 2] { #expect(read(text, chunk) == whole, "\(text)") }
      return whole
    }
  }

  @Test func longestRecordIsLimited() {
    let text = "a\n" + String(repeating: "x", count: DelimitedRecord.longest + 1)
    #expect(failure { try all(text, 1000) }?.message.hasPrefix("line 2: a record is longer than") == true)
  }

  @Test func longestRecordIsRead() throws {
    #expect(DelimitedRecord.longest == 1_048_576)
    let longest = String(repeating: "x", count: DelimitedRecord.longest)
    #expect(try all("a\n\(longest)\n", 100_000).last?.fields == [longest])
    #expect(try all("a\n\(longest)", 100_000).last?.fields == [longest])
  }

  private func invalid(_ line: Int, _ reason: String) -> Failure {
    Failure(.usage, "line \(line): \(reason)", cause: .input(line: line))
  }

  @Test func crLfIsCountedAsOneLine() throws {
    #expect(try all("a\r\n\r\n\"1\r\n2\"\r\nb\r\n", 3).map(\.line) == [1, 3, 5])
    #expect(throws: invalid(3, "a return without a line feed")) { try all("a\r\nb\r\nc\r", 3) }
    #expect(throws: invalid(3, "expected 1 field, found 2")) { try all("a\r\n\r\n1,2", 3) }
  }

  private static let mixed: [(String, [String])] = [
    ("a,b\n1\n2,3\n", ["a|b", "line 2", "2|3"]), ("a\nx\"1\",\n2\n", ["a", "line 2", "2"]),
    ("a\n\"1\"x\"\n2\n", ["a", "line 2", "2"]), ("a\nb\rc\n2\n", ["a", "line 2", "2"]),
    ("a\n\"1\n2\"3\n4\n5,6\n7\n", ["a", "line 3", "4", "line 5", "7"]), ("a\n\"1\n2\n", ["a", "line 2"]),
    (
      "a\n" + String(repeating: "x", count: DelimitedRecord.longest + 70_000) + "\n2\n", ["a", "line 2", "2"]
    ),
    ("a\n1\n\"x\"y", ["a", "1", "line 3"]),
  ]

  @Test(arguments: mixed)
  func readingContinuesAfterBadRecord(text: String, records: [String]) throws {
    for chunk in [1, 1000] {
      var reader = CSVReader(MemorySource(Array(text.utf8), chunk: chunk))
      var seen: [String] = []
      while true {
        do {
          guard let record = try reader.next() else { break }
          seen.append(record.fields.joined(separator: "|"))
        } catch {
          seen.append(String(error.message.prefix { $0 != ":" }))
        }
      }
      #expect(seen == records)
    }
  }

  @Test func lineAfterInvalidUTF8IsRead() throws {
    var reader = CSVReader(MemorySource([0x61, 0x0A, 0xFF, 0x0A, 0x62, 0x0A], chunk: 2))
    #expect(try reader.next()?.fields == ["a"])
    #expect(throws: invalid(2, "invalid UTF-8")) { try reader.next() }
    #expect(try reader.next()?.fields == ["b"])
  }

  @Test func unclosedQuoteNamesSkippedLines() {
    #expect(throws: invalid(2, "a quote is never closed: all up to line 4 is one field")) {
      try all("a\n\"1\n2\n3\n", 10)
    }
    #expect(throws: invalid(2, "a quote is never closed: all up to line 3 is one field")) {
      try all("a\n\"1\n2", 10)
    }
    for text in ["a\n\"1\n", "a\n\"1", "a\n\""] {
      #expect(throws: invalid(2, "a quote is never closed")) { try all(text, 10) }
    }
  }

  private func all(_ text: String, _ chunk: Int) throws(Failure) -> [DelimitedRecord] {
    try all(Array(text.utf8), chunk)
  }

  private func all(_ bytes: [UInt8], _ chunk: Int) throws(Failure) -> [DelimitedRecord] {
    var reader = CSVReader(MemorySource(bytes, chunk: chunk))
    var records: [DelimitedRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }
}
