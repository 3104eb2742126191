import JSON
import System
import TestSupport
import Testing

@testable import Output

@Suite struct DelimitedTextTests {
  @Test(arguments: [
    (["a", "b"], "a,b\n"), (["a,b"], "\"a,b\"\n"), (["a\"b"], "\"a\"\"b\"\n"), (["\""], "\"\"\"\"\n"),
    (["a\nb"], "\"a\nb\"\n"), (["a\r\nb", ""], "\"a\r\nb\",\n"), (["\r"], "\"\r\"\n"), ([" a "], " a \n"),
    (["a\tb"], "a\tb\n"), (["é"], "é\n"), ([""], "\"\"\n"), (["", ""], ",\n"), ([], ""),
  ])
  func csvFieldIsQuoted(fields: [String], record: String) {
    var bytes: [UInt8] = []
    DelimitedText.appendCSV(fields.count, terminator: 10, to: &bytes) {
      $1.append(contentsOf: fields[$0].utf8)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == record)
  }

  @Test(arguments: [
    (["a", "b"], "a\tb\n"), (["a\tb"], "a\\tb\n"), (["a\nb"], "a\\nb\n"), (["a\r\nb"], "a\\r\\nb\n"),
    (["\\"], "\\\\\n"), (["\\t"], "\\\\t\n"), ([""], "\n"), (["", ""], "\t\n"), (["a,\"b"], "a,\"b\n"),
    ([], ""),
  ])
  func tsvFieldIsEscaped(fields: [String], record: String) {
    var bytes: [UInt8] = []
    DelimitedText.appendTSV(fields.count, terminator: 10, to: &bytes) {
      FieldValue.text(fields[$0]).appendText(to: &$1)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == record)
  }
}

@Suite struct FormatRoundTripTests {
  struct Pair: Row {
    var first: String
    var second: String?
    var number: Int

    static let fields: Fields<Pair> = [
      .text("first", "First", "") { $0.first }, .text("deep.second", "Second", "", orNull: { $0.second }),
      .integer("deep.number", "Number", "") { $0.number },
    ]
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func everyFormatIsReadBack(seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let rows = (0..<Int.random(in: 0...12, using: &dice)).map { _ in
      Pair(
        first: dice.text(), second: Bool.random(using: &dice) ? dice.text() : nil,
        number: Int.random(in: .min ... .max, using: &dice))
    }
    let wanted = rows.map { [$0.first, $0.second ?? "", String($0.number)] }
    func text(_ format: Format) throws -> String {
      try written(format) { output throws(Failure) in try output.write(rows) }
    }
    // By their bytes: Swift holds two spellings of an accent for the same.
    func same(_ a: [[String]], _ b: [[String]]) -> Bool {
      a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    }
    func fields(_ row: JSON) throws -> [String] {
      [
        try row["first"].string, try row["deep"]["second"].orNull?.string ?? "",
        String(try row["deep"]["number"].int),
      ]
    }
    var (csv, tsv): ([[String]], [[String]]) = ([], [])
    var commas = CSVReader(MemorySource(try text(.csv).utf8, chunk: 3))
    while let record = try commas.next() { csv.append(record.fields) }
    var tabs = TSVReader(MemorySource(try text(.tsv).utf8, chunk: 3))
    while let record = try tabs.next() { tsv.append(record.fields) }
    #expect(same(Array(csv.dropFirst()), wanted) && same(Array(tsv.dropFirst()), wanted))
    #expect(same(try JSON.parse(text(.json)).array.map(fields), wanted))
    #expect(
      same(try text(.jsonl).utf8.split(separator: 10).map { try fields(JSON.parse(Array($0))) }, wanted))
    let nulls = try JSON.parse(text(.json)).array.map { $0["deep"]["second"].kind == .null }
    #expect(nulls == rows.map { $0.second == nil })
  }
}
