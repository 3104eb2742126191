import System
import Testing

@testable import Output

/// RFC 4180 and nothing looser. A record is shown as its fields with `|` between them.
@Suite struct CSVReaderTests {
  private static let good: [(String, [String])] = [
    ("a,b\n1,2\n", ["a|b", "1|2"]), ("a,b\r\n1,2\r\n", ["a|b", "1|2"]), ("a,b\n1,2", ["a|b", "1|2"]),
    ("a\n\"x,y\"\n", ["a", "x,y"]), ("a\n\"say \"\"hi\"\"\"\n", ["a", "say \"hi\""]),
    ("a\r\n\"\"\r\n\r\nb\r\n", ["a", "", "b"]), ("a,b\n\"1\n2\",3\n", ["a|b", "1\n2|3"]),
    ("a,b\n,\n", ["a|b", "|"]), ("a,b\n\"\",\n", ["a|b", "|"]),
    ("a\n\n\nb\n", ["a", "b"]), ("\u{FEFF}a,b\n", ["a|b"]),
    ("\u{FEFF}\"a,b\",c\n", ["a,b|c"]), ("\u{FEFF}\n\u{FEFF}a", ["\u{FEFF}a"]), ("\u{FEFF}", [""]),
    ("\u{FEFF}\u{FEFF}a", ["\u{FEFF}a"]), ("\"\u{FEFF}\"", ["\u{FEFF}"]), ("ä\n🚲\n", ["ä", "🚲"]), ("", []),
    ("\n", []),
  ]

  @Test(arguments: good)
  func recordsAreRead(text: String, records: [String]) throws {
    for chunk in [1, 2, 1000] {
      #expect(try all(text, chunk).map { $0.fields.joined(separator: "|") } == records)
    }
  }

  private static let bad: [(String, String)] = [
    ("a,b\n1\n", "line 2: expected 2 fields, found 1"), ("a\n1,2\n", "line 2: expected 1 field, found 2"),
    ("a\n\"1\n2\n", "line 2: a quote is never closed"), ("a\n\"1\"x\n", "line 2: text after a closing quote"),
    ("a\nx\"1\"\n", "line 2: a quote within a field"), ("a\rb\n", "line 1: a return without a line feed"),
    ("a\n\"1\n2\"\n\"3\"x", "line 4: text after a closing quote"),
    ("a\n" + String(repeating: "x", count: CSVReader.longestRecord + 1), "line 2: a record is longer than"),
  ]

  @Test(arguments: bad)
  func malformedRecordIsRefused(text: String, message: String) {
    do {
      _ = try all(text, 1000)
      Issue.record("nothing was refused")
    } catch {
      #expect(error.kind == .usage)
      #expect(error.message.hasPrefix(message), "\(error.message)")
    }
  }

  @Test func longestRecordIsRead() throws {
    #expect(CSVReader.longestRecord == 1_048_576)
    let longest = String(repeating: "x", count: CSVReader.longestRecord)
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
      "a\n" + String(repeating: "x", count: CSVReader.longestRecord + 70_000) + "\n2\n", ["a", "line 2", "2"]
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

  private func all(_ text: String, _ chunk: Int) throws(Failure) -> [CSVReader.Record] {
    try all(Array(text.utf8), chunk)
  }

  private func all(_ bytes: [UInt8], _ chunk: Int) throws(Failure) -> [CSVReader.Record] {
    var reader = CSVReader(MemorySource(bytes, chunk: chunk))
    var records: [CSVReader.Record] = []
    while let record = try reader.next() { records.append(record) }
    return records
  }
}
