import JSON
import System
import Testing
import TestSupport

@testable import Output

/// Rows whose fields nobody declared.
@Suite struct ForeignRowTests {
  private static let mixed = [#"{"a":1,"b":2}"#, #"{"b":3}"#, #"{"c":4,"a":5}"#, "6", #""x""#]

  private func lines(
    _ rows: [String], _ format: Format, fields: String? = nil, list: ListSelection? = nil
  ) throws -> String {
    var rest = rows.makeIterator()
    return try written(format, fields: fields, list: list) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in
        try rest.next().map { row throws(Failure) in try JSON.parse(row) }
      }
    }
  }

  @Test(arguments: [
    (mixed, 3, "c"), ([#"{"a":1}"#, "5"], 2, "value"), (["5", #"{"a":1}"#], 2, "a"),
    (["{}", #"{"a":1}"#], 2, "a"), ([#"{"a":1}"#, "[1]"], 2, "value"),
  ])
  func unfitRowIsRefused(rows: [String], number: Int, field: String) throws {
    for format in [Format.csv, .tsv] {
      let failure = #expect(throws: Failure.self) { try lines(rows, format) }
      #expect(failure?.kind == .usage)
      #expect(failure?.message == "row \(number): the header has no field '\(field)'")
      #expect(failure?.details == [.init("row", .integer(number)), .init("field", .text(field))])
      #expect(failure?.hint?.contains("--fields all") == true)
    }
  }

  @Test func rowsBeforeRefusedRowAreWritten() throws {
    let sink = MemorySink()
    let output = Output(settings(.tsv), Outlet(sink))
    var rest = ForeignRowTests.mixed.makeIterator()
    #expect(throws: Failure.self) {
      try output.write { () throws(Failure) in
        try rest.next().map { row throws(Failure) in try JSON.parse(row) }
      }
    }
    try output.outlet.flush()
    #expect(sink.text == "a\tb\n1\t2\n\t3\n")
  }

  @Test(arguments: [
    (Format.csv, "a,b.c\n"), (.tsv, "a\tb.c\n"), (.table, "a  b.c\n"),
    (.markdown, "| a | b.c |\n| --- | --- |\n"), (.json, "[]\n"), (.jsonl, ""),
  ])
  func headerWithoutWrittenRows(format: Format, text: String) throws {
    let rows = [#"{"a":"1","b.c":"2"}"#, #"{"d":"3"}"#]
    let none = ListSelection(conditions: [try #require(Condition("a=9"))])
    for list in [ListSelection(limit: 0), none] { #expect(try lines(rows, format, list: list) == text) }
  }

  /// A limit of 0 reads a row only for the names of the columns.
  @Test func limitZeroReadsNoRows() throws {
    for (format, fields) in [(Format.json, nil), (.csv, "a")] as [(Format, String?)] {
      let settings = settings(format, fields: fields, list: ListSelection(limit: 0))
      try Output(settings, Outlet(MemorySink())).write { () throws(Failure) -> JSON? in
        Issue.record("a row was read for \(format)")
        return nil
      }
    }
  }

  @Test func noColumnsWriteNothing() throws {
    for format in [Format.table, .markdown, .csv, .tsv] { #expect(try lines([], format) == "") }
  }

  @Test func emptyListOfFieldsIsRefused() {
    #expect(throws: Failure(.usage, "'--fields' names no field")) { try lines(["1"], .csv, fields: " , ") }
  }

  @Test func allSelectsNamesOfEveryRow() throws {
    #expect(
      try lines(ForeignRowTests.mixed, .tsv, fields: "all")
        == "a\tb\tc\tvalue\n1\t2\t\t\n\t3\t\t\n5\t\t4\t\n\t\t\t6\n\t\t\tx\n")
    #expect(
      try lines([#"{"a":1}"#, #"{"b.c":2}"#], .jsonl, fields: "all")
        == "{\"a\":1,\"b.c\":null}\n{\"a\":null,\"b.c\":2}\n")
    #expect(try lines([#"{"b":1}"#, #"{"a":2}"#], .csv, fields: "a,all") == "a,b,a\n,1,\n2,,2\n")
    #expect(try lines([], .csv, fields: "all") == "")
  }

  @Test(
    arguments: [
      (
        .json,
        "[{\"a\":1,\"b\":{\"c\":\"x\"}},\n{\"a\":null,\"b\":{\"c\":null}},\n{\"a\":null,\"b\":{\"c\":null}}]\n"
      ),
      (
        .jsonl,
        "{\"a\":1,\"b\":{\"c\":\"x\"}}\n{\"a\":null,\"b\":{\"c\":null}}\n{\"a\":null,\"b\":{\"c\":null}}\n"
      ),
      (.csv, "a,b.c\n1,x\n,\n,\n"), (.tsv, "a\tb.c\n1\tx\n\t\n\t\n"),
      (.table, "a  b.c\n1  x\n-  -\n-  -\n"),
      (.markdown, "| a | b.c |\n| --- | --- |\n| 1 | x |\n| - | - |\n| - | - |\n"),
    ] as [(Format, String)])
  func chosenFieldsAreWrittenInEveryFormat(format: Format, text: String) throws {
    #expect(try lines([#"{"a":1,"b":{"c":"x","d":2}}"#, #"{"b":3}"#, "6"], format, fields: "a,b.c") == text)
  }

  @Test func plainValuesAreSortedAndFiltered() throws {
    let list = ListSelection(conditions: [try #require(Condition("value>1"))], order: SortOrder("-value"))
    #expect(try lines(["1", "3", #"{"value":2}"#], .jsonl, list: list) == "3\n{\"value\":2}\n")
  }

  @Test(arguments: [
    (#""a.b""#, "a.b\n1\n"), ("a.b", "a.b\n2\n"), (#""c,d",a.b"#, "\"c,d\",a.b\n3,2\n"),
    (#""e f""#, "e f\n4\n"), ("e f", "e f\n4\n"), (#"["a.b"]"#, "a.b\n1\n"), (#""all""#, "all\n5\n"),
  ])
  func quotedNameIsOneField(fields: String, text: String) throws {
    let row = #"{"a.b":1,"a":{"b":2},"c,d":3,"e f":4,"all":5}"#
    #expect(try lines([row], .csv, fields: fields) == text)
  }

  @Test func quotedNameIsOneMemberInJSON() throws {
    let row = #"{"a.b":1,"a":{"b":2}}"#
    #expect(try lines([row], .jsonl, fields: #""a.b",a.b"#) == "{\"a.b\":1,\"a\":{\"b\":2}}\n")
  }

  @Test func quotedNameWorksInConditionAndOrder() throws {
    let rows = [#"{"a.b":2,"x=y":1}"#, #"{"a.b":1,"x=y":1}"#, #"{"a.b":0,"x=y":2}"#]
    let list = ListSelection(conditions: [try #require(Condition(#""x=y"=1"#))], order: SortOrder(#"-"a.b""#))
    #expect(try lines(rows.reversed(), .jsonl, list: list) == rows[0] + "\n" + rows[1] + "\n")
  }

  @Test func namesWithoutRowAreReturned() throws {
    func unseen(_ rows: [String], fields: String, _ condition: String, _ order: String) throws -> [String] {
      let list = ListSelection(conditions: [try #require(Condition(condition))], order: SortOrder(order))
      let settings = settings(.jsonl, fields: fields, list: list)
      var rest = rows.makeIterator()
      return try Output(settings, Outlet(MemorySink())).write { () throws(Failure) in
        try rest.next().map { row throws(Failure) in try JSON.parse(row) }
      }
    }
    let rows = [#"{"a":null,"b":{"c":1}}"#, #"{"d":1}"#, "7"]
    #expect(try unseen(rows, fields: "a,x,b.c,b.y,all,value", "w=1", "-d,z,x") == ["x", "b.y", "w", "z"])
    #expect(try unseen([], fields: "x", "w=1", "z") == [])
  }

  /// Null is an empty text once it was written as CSV.
  @Test(arguments: [("n", ["1", "2", ""]), ("-n", ["2", "1", ""])])
  func emptyTextIsSortedLast(_ order: String, _ values: [String]) throws {
    let rows = [#"{"n":"1"}"#, #"{"n":""}"#, #"{"n":"2"}"#]
    let list = ListSelection(order: SortOrder(order))
    let expected = values.map { #"{"n":"\#($0)"}"# + "\n" }.joined()
    #expect(try lines(rows, .jsonl, list: list) == expected)
  }

  /// A table without rows has the header of the first row that was not wanted.
  @Test(arguments: [("a=3", "a,b\n"), ("c=1", "c\n1\n"), ("c=2", "a,b\n")])
  func headerOfFirstRowIfNoneMatches(_ condition: String, _ text: String) throws {
    let list = ListSelection(conditions: [try #require(Condition(condition))])
    #expect(try lines([#"{"a":1,"b":2}"#, #"{"c":1}"#], .csv, list: list) == text)
  }
}

@Suite struct TSVReaderTests {
  @Test func unknownEscapeIsText() throws {
    var reader = TSVReader(MemorySource("a\\b\tC:\\x\\\n".utf8))
    #expect(try reader.next()?.fields == ["a\\b", "C:\\x\\"])
  }

  @Test func readingContinuesAfterLineOfOtherWidth() throws {
    var reader = TSVReader(MemorySource("\u{FEFF}a\tb\r\n\r\n1\n2\t3\n".utf8))
    #expect(try reader.next()?.fields == ["a", "b"])
    let failure = #expect(throws: Failure.self) { try reader.next() }
    #expect(failure?.message == "line 3: expected 2 fields, found 1")
    #expect(try reader.next()?.fields == ["2", "3"])
  }

  @Test func emptyLineIsFieldOfOneColumnTable() throws {
    var reader = TSVReader(MemorySource("\n\na\n\nb\n".utf8))
    var records: [DelimitedRecord] = []
    while let record = try reader.next() { records.append(record) }
    #expect(records.map(\.fields) == [["a"], [""], ["b"]] && records.map(\.line) == [3, 4, 5])
  }

  @Test func readingContinuesAfterInvalidUTF8() throws {
    var reader = TSVReader(MemorySource([0x61, 0x0A, 0xFF, 0x0A, 0x62, 0x0A]))
    #expect(try reader.next()?.fields == ["a"] && reader.canContinue)
    #expect(throws: Failure.self) { try reader.next() }
    #expect(try reader.canContinue && reader.next()?.fields == ["b"])
  }

  @Test func tooLongLineEndsInput() {
    var reader = TSVReader(MemorySource([UInt8](repeating: 0x61, count: DelimitedRecord.longest + 2)))
    #expect(throws: Failure.self) { try reader.next() }
    #expect(!reader.canContinue)
  }
}

/// The values of rows whose fields nobody declared.
@Suite struct ForeignValuesTests {
  /// They are as safe on a terminal, and with NUL behind each record, as those of declared fields.
  @Test(
    arguments: [
      (.csv, false, nil, "x\u{1B}\ty\0\n"), (.tsv, false, nil, "x\u{1B}\\ty\0\n"),
      (.csv, true, nil, "x\u{1B}\ty\u{FFFD}\0"), (.tsv, true, nil, "x\u{1B}\\ty\u{FFFD}\0"),
      (.csv, false, Screen(width: 80, color: false), "x\u{FFFD}\ty\u{FFFD}\n"),
      (.tsv, false, Screen(width: 80, color: false), "x\u{FFFD}\\ty\u{FFFD}\n"),
    ] as [(Format, Bool, Screen?, String)])
  func controlCharactersAreReplacedOnTerminal(format: Format, null: Bool, screen: Screen?, expected: String)
    throws
  {
    var rows = [try JSON.parse(#"{"a":"x\u001b\ty\u0000"}"#)][...]
    let text = try written(format, header: false, null: null, screen: screen) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in rows.popFirst() }
    }
    #expect(Array(text.utf8) == Array(expected.utf8))
  }
}
