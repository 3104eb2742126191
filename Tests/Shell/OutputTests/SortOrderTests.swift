import JSON
import Testing

@testable import Output

@Suite struct SortOrderTests {
  @Test(
    arguments: [
      ("name", [("name", false)]), ("-name", [("name", true)]), ("a.b,-c", [("a.b", false), ("c", true)]),
      ("", nil), ("-", nil), ("name,", nil), (",name", nil), ("a,,b", nil),
    ] as [(String, [(String, Bool)]?)])
  func orderIsParsed(text: String, keys: [(String, Bool)]?) {
    let order = SortOrder(text)
    #expect(order?.keys.map(\.field) == keys?.map(\.0))
    #expect(order?.keys.map(\.isDescending) == keys?.map(\.1))
  }

  @Test(
    arguments: [
      ("3 1 2", "1 2 3", "3 2 1"), ("10 9 -1", "-1 9 10", "10 9 -1"), ("2.5 2 3", "2 2.5 3", "3 2.5 2"),
      (#""b" "a" "B""#, #""B" "a" "b""#, #""b" "a" "B""#), (#""10" "9""#, #""9" "10""#, #""10" "9""#),
      (#""é" "z" "e""#, #""e" "z" "é""#, #""é" "z" "e""#), ("true false", "false true", "true false"),
      (#""a" 1 true null 0"#, #"true 0 1 "a" null"#, #""a" 1 0 true null"#),
      ("null 1 null", "1 null null", "1 null null"), (#""b" "" "a""#, #""a" "b" """#, #""b" "a" """#),
      ("[1] 2 {}", "2 [1] {}", "2 [1] {}"), ("1e400 1 -1e400", "-1e400 1 1e400", "1e400 1 -1e400"),
      (
        "18446744073709551615 1 9223372036854775807", "1 9223372036854775807 18446744073709551615",
        "18446744073709551615 9223372036854775807 1"
      ),
      // Beyond what a double tells apart.
      (
        "9007199254740993 9007199254740992.5 9007199254740992",
        "9007199254740992 9007199254740992.5 9007199254740993",
        "9007199254740993 9007199254740992.5 9007199254740992"
      ),
      ("-0.1 -0.10000000000000000001 0", "-0.10000000000000000001 -0.1 0", "0 -0.1 -0.10000000000000000001"),
      ("", "", ""),
    ])
  func rowsAreSorted(values: String, ascending: String, descending: String) throws {
    func sorted(_ order: String) throws -> String {
      let values = try values.split(separator: " ").map { try JSON.parse(String($0)) }
      let order = try #require(SortOrder(order))
      return order.sorted(values) { [.json($0)] }.map { value in
        var bytes: [UInt8] = []
        value.appendRaw(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
      }.joined(separator: " ")
    }
    #expect(try sorted("x") == ascending)
    #expect(try sorted("-x") == descending)
  }

  /// `1` and `1.0` are one number, so the next key decides.
  @Test func laterKeysBreakTies() throws {
    let rows = try ["1 b", "1.0 a", "0 c"].map {
      try ($0.split(separator: " "), JSON.parse(String($0.prefix { $0 != " " })))
    }
    let order = try #require(SortOrder("x,y"))
    let sorted = order.sorted(rows) { [.json($0.1), .text(String($0.0[1]))] }.map { String($0.0[1]) }
    #expect(sorted == ["c", "a", "b"])
    let mixed = try #require(SortOrder("-x,y"))
    #expect(
      mixed.sorted(rows) { [.json($0.1), .text(String($0.0[1]))] }.map { String($0.0[1]) } == ["a", "b", "c"])
  }

  @Test func orderOfValuesIsTotal() {
    let ascending: [SortValue] = [
      .flag(false), .flag(true), .number(.int64(-1)), .number(.double(0.5)), .text(""), .text("a"), .nothing,
    ]
    for (place, value) in ascending.enumerated() {
      #expect(ascending.map { value < $0 } == ascending.indices.map { place < $0 })
    }
  }

  @Test(arguments: ["x", "-x"])
  func equalRowsKeepTheirOrder(order: String) throws {
    let rows = (0..<100).map { (key: $0 % 3, number: $0) }
    let sorted = try #require(SortOrder(order)).sorted(rows) { [.integer(Int64($0.key))] }
    for (a, b) in zip(sorted, sorted.dropFirst()) where a.key == b.key { #expect(a.number < b.number) }
    #expect(sorted.first?.key == (order == "x" ? 0 : 2))
  }

  @Test(arguments: ["x", "-x"])
  func nonFiniteNumberIsSortedAsNull(order: String) throws {
    let cells: [FieldValue] = [.number(.infinity), .number(.nan), .number(1), .number(-.infinity)]
    let sorted = try #require(SortOrder(order)).sorted(cells) { [$0] }
    guard case .number(1)? = sorted.first else {
      Issue.record("\(sorted)")
      return
    }
  }

  @Test func cellsAreSortedLikeTheirJSON() throws {
    let cells: [FieldValue] = [.text("b"), .null, .number(1.5), .integer(1), .flag(false), .list([])]
    let sorted = try #require(SortOrder("x")).sorted(cells) { [$0] }.map { cell in
      var bytes: [UInt8] = []
      cell.appendJSON(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(sorted == ["false", "1", "1.5", "\"b\"", "null", "[]"])
  }
}

extension SortOrder {
  fileprivate func sorted<Element>(_ elements: [Element], by cells: (Element) -> [FieldValue]) -> [Element] {
    sortedValues(of: elements, by: cells).map { elements[$0.offset] }
  }
}
