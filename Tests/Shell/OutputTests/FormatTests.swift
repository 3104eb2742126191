import JSON
import System
import Testing

@testable import Output

@Suite struct FormatTests {
  private static var bikes: [Bike] {
    [
      Bike(),
      Bike(
        id: 2, name: nil, latitude: "-0.5", rented: true, tags: ["red", "a,b"], day: CalendarDay("2021-01-02")
      ),
    ]
  }

  @Test(
    arguments: [
      (.table, "Id  Name    Lat   Rented\n 1  Henry   50.1  false\n 2  nobody  -0.5  true\n"),
      (.csv, "id,name,location.latitude,rented\n1,Henry,50.1,false\n2,,-0.5,true\n"),
      (.tsv, "id\tname\tlocation.latitude\trented\n1\tHenry\t50.1\tfalse\n2\t\t-0.5\ttrue\n"),
      (
        .markdown,
        "| Id | Name | Lat | Rented |\n| ---: | --- | --- | --- |\n| 1 | Henry | 50.1 | false |\n"
          + "| 2 | nobody | -0.5 | true |\n"
      ),
      (
        .jsonl,
        #"{"id":1,"name":"Henry","location":{"latitude":"50.1","tags":[]},"rented":false,"since":"2022-03-08","extra":null}"#
          + "\n"
          + #"{"id":2,"name":null,"location":{"latitude":"-0.5","tags":["red","a,b"]},"rented":true,"since":"2021-01-02","extra":null}"#
          + "\n"
      ),
    ] as [(Format, String)])
  func twoRowsInEveryFormat(format: Format, text: String) throws {
    #expect(try written(format) { output throws(Failure) in try output.write(FormatTests.bikes) } == text)
  }

  /// What prints requests alone prints no rows.
  @Test func requestsOnlyOutputWritesNoRows() throws {
    let sink = MemorySink()
    let outlet = Outlet(sink)
    let output = Output(settings(.csv), requests: outlet)
    try output.write(FormatTests.bikes)
    try output.outlet.flush()
    try output.explain("GET /")
    try outlet.flush()
    #expect(sink.text == "GET /")
  }

  @Test func textIsCleanedOnTerminalOnly() {
    let text = "a\u{1B}b"
    for screen in [nil, Screen(width: nil, color: true)] { #expect(text.shown(on: screen) == text) }
    #expect(text.shown(on: Screen(width: 80, color: false)) == "a\u{FFFD}b")
  }

  @Test func jsonArrayHasOneRowPerLine() throws {
    let lines = try written(.jsonl) { output throws(Failure) in try output.write(FormatTests.bikes) }
    let array = try written(.json) { output throws(Failure) in try output.write(FormatTests.bikes) }
    #expect(array == "[" + lines.dropLast().replacing("\n", with: ",\n") + "]\n")
  }

  @Test(
    arguments: [
      (.json, "{\"letter\":\"a\"}\n"), (.jsonl, "{\"letter\":\"a\"}\n"), (.csv, "letter\na\n"),
      (.tsv, "letter\na\n"), (.table, "Letter\na\n"), (nil, "[a]\n"),
      (.markdown, "| Letter |\n| --- |\n| a |\n"),
    ] as [(Format?, String)])
  func oneRowInEveryFormat(format: Format?, text: String) throws {
    #expect(try written(format) { output throws(Failure) in try output.write(Tile(letter: "a")) } == text)
  }

  @Test(
    arguments: [
      ([], .table, true, false, "Letter\n"), ([], .json, true, false, "[]\n"), ([], .jsonl, true, false, ""),
      ([], .csv, true, false, "letter\n"), ([], .tsv, true, false, "letter\n"), ([], nil, true, false, ""),
      ([], .markdown, true, false, "| Letter |\n| --- |\n"),
      // Without a header row.
      (["a"], .table, false, false, "a\n"), (["a"], .csv, false, false, "a\n"),
      (["a"], .tsv, false, false, "a\n"), (["a"], .jsonl, false, false, "{\"letter\":\"a\"}\n"),
      // With NUL behind each record.
      (["a\nb"], nil, true, true, "[a\nb]\0"), (["a\nb"], .jsonl, true, true, "{\"letter\":\"a\\nb\"}\0"),
      (["a\nb"], .csv, true, true, "letter\0\"a\nb\"\0"), (["a\nb"], .tsv, true, true, "letter\0a\\nb\0"),
      (["a\nb"], .table, true, true, "Letter\0a b\0"),
    ] as [([String], Format?, Bool, Bool, String)])
  func headerAndRecordEndsInEveryFormat(
    letters: [String], format: Format?, header: Bool, null: Bool, text: String
  ) throws {
    let written = try written(format, header: header, null: null) { output throws(Failure) in
      try output.write(letters.map { Tile(letter: $0) })
    }
    #expect(written == text)
  }

  /// It would end the record.
  @Test(
    arguments: [
      (.csv, true, "\u{FFFD}a\u{FFFD}\u{FFFD}\0"), (.tsv, true, "\u{FFFD}a\u{FFFD}\u{FFFD}\0"),
      (.csv, false, "\0a\0\0\n"), (.tsv, false, "\0a\0\0\n"),
      (.jsonl, true, "{\"letter\":\"\\u0000a\\u0000\\u0000\"}\0"),
    ] as [(Format, Bool, String)])
  func nulInsideFieldIsReplacedBeforeNulEnd(format: Format, null: Bool, text: String) throws {
    let written = try written(format, header: false, null: null) { output throws(Failure) in
      try output.write([Tile(letter: "\0a\0\0")])
    }
    #expect(Array(written.utf8) == Array(text.utf8))
  }

  @Test func chosenFieldsReplaceOwnText() throws {
    #expect(
      try written(nil, fields: "letter") { output throws(Failure) in try output.write([Tile(letter: "a")]) }
        == "Letter\na\n")
  }

  @Test func screenAffectsTableAndTextOnly() throws {
    for format in Format.allCases where format != .table {
      let screen = Screen(width: 3, color: true)
      let there = try written(format, screen: screen) { output throws(Failure) in
        try output.write(FormatTests.bikes)
      }
      #expect(try written(format) { output throws(Failure) in try output.write(FormatTests.bikes) } == there)
    }
    #expect(
      try written(nil, screen: Screen(width: 7, color: false)) { output throws(Failure) in
        try output.write(Tile(letter: "a"))
      } == "[a] on 7\n")
  }
}

@Suite struct ChosenFieldTests {
  @Test(arguments: [
    // In the order wanted, shown by itself or not.
    ("rented,id", "false\t1"), ("since", "2022-03-08"), (" id , rented ", "1\tfalse"),
    ("id,,rented,", "1\tfalse"),
    // A name that several paths begin with is all of them.
    ("location", "50.1\t[\"x\"]"), ("location.tags", "[\"x\"]"),
    ("all", "1\tHenry\t50.1\tfalse\t[\"x\"]\t2022-03-08\t{\"a\":{\"b\":[5,\"six\"]}}"),
    // By its title in a table, in upper or lower case.
    ("ID,lat", "1\t50.1"),
    // Into an object, as far as it goes.
    ("extra.a", "{\"b\":[5,\"six\"]}"), ("extra.a.b.1", "six"), ("extra.a.b[0]", "5"), ("extra.nope", ""),
    ("extra.a.b.7.c", ""), ("id,id", "1\t1"),
  ])
  func chosenFieldsAreWrittenInOrder(fields: String, line: String) throws {
    var bike = Bike(tags: ["x"])
    bike.extra = try JSON.parse(#"{"a":{"b":[5,"six"]}}"#)
    #expect(
      try written(.tsv, fields: fields, header: false) { output throws(Failure) in try output.write([bike]) }
        == line + "\n")
  }

  @Test(
    arguments: [
      ("nam", "unknown field 'nam'", "did you mean 'name'?"),
      ("id,locatoin.latitude", "unknown field 'locatoin.latitude'", "did you mean 'location.latitude'?"),
      ("locat", "unknown field 'locat'", "did you mean 'location.latitude'?"),
      (
        "zzz", "unknown field 'zzz'",
        "fields: id, name, location.latitude, rented, location.tags, since, extra"
      ),
      ("id.x", "unknown field 'id.x'", nil),
      ("location.latitude.x", "unknown field 'location.latitude.x'", nil),
      ("", "'--fields' names no field", nil), (" , ", "'--fields' names no field", nil),
    ] as [(String, String, String?)])
  func unknownFieldIsRefused(fields: String, message: String, hint: String?) {
    let failure = #expect(throws: Failure.self) {
      try written(.csv, fields: fields) { output throws(Failure) in try output.write([Bike()]) }
    }
    #expect(failure?.message == message)
    #expect(failure?.kind == .usage)
    if let hint { #expect(failure?.hint == hint) }
  }

  /// JSON names a member once, however often it was chosen.
  @Test(
    arguments: [
      ("id,id", #"{"id":1}"#), ("location,location.latitude", #"{"location":{"latitude":"50.1","tags":[]}}"#),
      ("location.tags,id,location.latitude", #"{"location":{"tags":[],"latitude":"50.1"},"id":1}"#),
      ("extra.a,extra", #"{"extra":{"a":1}}"#), ("extra,extra.a", #"{"extra":{"a":1}}"#),
      ("extra.a", #"{"extra":{"a":1}}"#), ("all,id", nil),
    ] as [(String, String?)])
  func chosenFieldsAreNestedOnceInJSON(fields: String, object: String?) throws {
    var bike = Bike()
    bike.extra = try JSON.parse(#"{"a":1}"#)
    let line = try written(.jsonl, fields: fields) { output throws(Failure) in try output.write([bike]) }
    if let object { #expect(line == object + "\n") }
    let keys = try JSON.parse(line).members.map(\.key)
    #expect(Set(keys).count == keys.count)
  }
}

@Suite struct ForeignRowOutputTests {
  private func rows(_ text: String, _ format: Format, fields: String? = nil) throws -> String {
    var elements = try JSON.parse(text).array.makeIterator()
    return try written(format, fields: fields) { output throws(Failure) in
      try output.write { () throws(Failure) -> JSON? in elements.next() }
    }
  }

  @Test(arguments: [
    (#"[{"a":1,"b":{"c":2}},{"b":3}]"#, "a\tb\n1\t{\"c\":2}\n\t3\n"), ("[]", ""), ("[{}]", ""),
    ("[1,\"x\",null]", "value\n1\nx\n\n"), (#"[1,{"value":2}]"#, "value\n1\n2\n"),
    (#"[{"value":1,"a":3},2]"#, "value\ta\n1\t3\n2\t\n"),
    // The names are names, not paths.
    (#"[{"a.b":1,"c[0]":2,"":3}]"#, "a.b\tc[0]\t\n1\t2\t3\n"), (#"[{"a":1,"a":2}]"#, "a\n2\n"),
  ])
  func foreignRowsHaveColumns(text: String, tsv: String) throws { #expect(try rows(text, .tsv) == tsv) }

  @Test(arguments: [
    (#"[{"a":1,"b":{"c":2}},{"b":3}]"#, "b.c,a", "b.c\ta\n2\t1\n\t\n"),
    ("[[1,2],[3]]", "1,[0]", "1\t[0]\n2\t1\n\t3\n"), ("[]", "a", "a\n"), ("[5]", "value", "value\n5\n"),
    (#"[{"value":5}]"#, "value", "value\n5\n"),
  ])
  func chosenFieldsOfForeignRows(text: String, fields: String, tsv: String) throws {
    #expect(try rows(text, .tsv, fields: fields) == tsv)
  }

  @Test(
    arguments: [
      (
        #"[{"a" : 1.0, "n":12345678901234567890123 },[ ],"x"]"#,
        "{\"a\" : 1.0, \"n\":12345678901234567890123 }\n[ ]\n\"x\"\n"
      ),
      ("[]", ""),
    ])
  func jsonPassesValuesUnchanged(text: String, jsonl: String) throws {
    #expect(try rows(text, .jsonl) == jsonl)
    #expect(try rows(text, .json) == "[" + jsonl.dropLast().replacing("\n", with: ",\n") + "]\n")
  }

  @Test func jsonLinesRemovesLineBreaks() throws {
    #expect(try rows("[{\"a\" :\n 1},[ 2]]", .jsonl) == "{\"a\":1}\n[ 2]\n")
    #expect(try rows("[{\"a\" :\n 1},[ 2]]", .json) == "[{\"a\" :\n 1},\n[ 2]]\n")
  }
}
