import JSON
import System
import Testing

@testable import Output

/// Rows of many columns are written as rows of few are.
@Suite struct ManyColumnsTests {
  private static let names = (0..<40).map { "c\($0)" }

  private static let rows = [
    "{" + names.enumerated().map { #""\#($1)":\#($0)"# }.joined(separator: ",") + "}",
    "{" + names.enumerated().reversed().map { #""\#($1)":"a,\#($0)\t\"""# }.joined(separator: ",") + "}",
    #"{"c3":1,"c3":[2,{"x":"y"}],"other":5,"c39":null,"\u00631":true}"#, "7", #""text""#, "[1,2]", "{}",
  ]

  @Test(arguments: [Format.table, .csv, .tsv, .json, .jsonl])
  func allColumnsEqualSingleColumns(_ format: Format) throws {
    let fields = ManyColumnsTests.names + ["value", "c3.1.x", "c3[0]"]
    func text(_ fields: [String]) throws -> String {
      var rows = try ManyColumnsTests.rows.map { try JSON.parse($0) }[...]
      return try written(format, fields: fields.joined(separator: ","), header: false) {
        output throws(Failure) in
        try output.write { () throws(Failure) -> JSON? in rows.popFirst() }
      }
    }
    let many = try text(fields).split(separator: "\n", omittingEmptySubsequences: false)
    for (place, field) in fields.enumerated() {
      let one = try text([field]).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(one.count == many.count)
      for (line, alone) in zip(many, one) where format == .tsv && !alone.isEmpty {
        #expect(line.split(separator: "\t", omittingEmptySubsequences: false)[place] == alone)
      }
    }
    // The last columns apart, the first row of any order is its values.
    if format == .csv { #expect(many[0].hasPrefix("0,1,2,3,4,") && many[0].contains(",38,39,,,")) }
    if format == .jsonl { #expect(many[0].hasPrefix(#"{"c0":0,"c1":1,"#)) }
    if format == .jsonl {
      #expect(many[2].contains(#""c3":[2,{"x":"y"}]"#) && many[2].contains(#""c1":true"#))
    }
    if format == .jsonl { #expect(many[3].contains(#""c39":null,"value":7,"#)) }
    if format == .table { #expect(many[6].hasPrefix("-   ")) }
  }

  @Test func pathsAreNestedIntoOneObject() {
    func text(_ paths: [String]) -> String {
      var bytes: [UInt8] = []
      JSONRow(paths.map { Column($0, title: $0, meaning: "", type: .any) }).append(
        paths.indices.map { .integer(Int64($0)) }, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(text(["a.b", "c", "a.d"]) == #"{"a":{"b":0,"d":2},"c":1}"#)
    #expect(text(["a", "a.b", "a", "b"]) == #"{"a":0,"b":3}"#)
    #expect(text(["a.b", "a", "a.c.d"]) == #"{"a":1}"#)
    #expect(text(["a.b.c", "x", "a.b", "a.e"]) == #"{"x":1,"a":{"b":2,"e":3}}"#)
    #expect(text(["", "a.", ".a"]) == #"{"":0,"a":{"":1}}"#)
    let many = (0..<20_000).map { "a\($0 % 100).b\($0)" }
    #expect(text(many).hasPrefix(#"{"a0":{"b0":0,"b100":100,"#))
  }

  @Test func rowWithoutColumnsIsEmptyObject() {
    let row = JSONRow([])
    var bytes: [UInt8] = []
    row.append([], to: &bytes)
    let append = row.joined([] as [JSONRow.Append<Int>])
    append(1, &bytes)
    #expect(bytes == Array("{}{}".utf8))
  }

  /// A limit that is computed agrees with one column of the screen taken away at a time.
  @Test(arguments: 0..<200) func columnWidthsEqualSimpleAlgorithm(_ seed: Int) {
    func slow(_ wanted: [Int], to screen: Int) -> [Int] {
      func total(_ widths: [Int]) -> Int { widths.reduce(0, +) + 2 * (widths.count - 1) }
      var widths = wanted.map { min($0, screen) }
      while widths.count > 1, total(widths.map { min($0, 3) }) > screen { widths.removeLast() }
      while total(widths) > screen {
        let widest = widths.indices.reduce(0) { widths[$1] > widths[$0] ? $1 : $0 }
        widths[widest] -= 1
      }
      return widths
    }
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ range: ClosedRange<Int>) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return range.lowerBound + Int(state % UInt64(range.count))
    }
    let wanted = (0..<random(1...30)).map { _ in random(0...(random(0...1) == 0 ? 3 : 60)) }
    for screen in [1, 2, 3, random(1...20), random(1...200)] {
      // No column is known to be a name or a number.
      let fitted = TableLayout.fitted(
        wanted, wanted.map { _ in .any }, titles: wanted.map { _ in 0 }, to: screen)
      #expect(fitted == slow(wanted, to: screen), "\(wanted) \(screen)")
    }
  }

  @Test(
    arguments: [
      (96, [4, 32, 8, 14, 8, 16]), (90, [4, 32, 8, 14, 8, 10]), (80, [4, 26, 8, 14, 8, 10]),
      (70, [4, 16, 8, 14, 8, 10]), (60, [4, 7, 8, 14, 7, 10]), (50, [4, 8, 8, 14, 8]), (22, [4, 6, 8]),
    ] as [(Int, [Int])])
  func timesAndNamesGiveWayFirst(screen: Int, widths: [Int]) {
    let types: [CellType] = [.integer, .text, .integer, .integer, .object, .time]
    let titles = [4, 5, 8, 14, 7, 7]
    #expect(TableLayout.fitted([4, 32, 8, 14, 8, 16], types, titles: titles, to: screen) == widths)
  }

  @Test func rowsOfOneNameEachHaveTheirValues() throws {
    var next = 0
    let table = try written(.table, header: false) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in
        defer { next += 1 }
        return next < 100 ? try JSON.parse(#"{"n\#(next)":\#(next)}"#) : nil
      }
    }
    for (number, line) in table.split(separator: "\n").enumerated() {
      let cells = line.split(separator: " ")
      #expect(cells.enumerated().allSatisfy { $1 == ($0 == number ? "\(number)" : "-") }, "\(number)")
    }
  }

  @Test(arguments: [(10_000, false), (10_001, true)])
  func namesAboveTheLimitAreRefused(_ count: Int, _ isRefused: Bool) throws {
    let row = "{" + (0..<count).map { #""n\#($0)":1"# }.joined(separator: ",") + "}"
    var union = ColumnUnion()
    let refusal = Failure(
      .usage, "the rows have more than 10000 names", hint: "choose the fields with --fields")
    if isRefused {
      #expect(throws: refusal) { try union.add(try JSON.parse(row)) }
    } else {
      try union.add(try JSON.parse(row))
    }
  }
}
