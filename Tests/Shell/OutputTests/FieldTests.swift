import JSON
import System
import Testing

@testable import Output

/// What is read for a table, for JSON, for CSV, for conditions and for an order, which may all differ.
@Suite struct FieldTests {
  struct Ride: Row {
    var name: String? = "home"
    var length = 7
    var extra: JSON?

    static let fields: Fields<Ride> = [
      Field.text("name", "Name", "its name", orNull: { $0.name }).shown { TableCell("<\($0.name ?? "")>") },
      Field.object("extra", "Extra", "whatever else", orNull: { $0.extra })
        .flattened(to: { .integer(Int64($0.length)) }),
      Field.text("unit", "Unit", "of its length") { _ in "km" }.sorted(by: { .integer(Int64($0.length)) }),
      .list("tags", "Tags", "what it is like") { _ in ["a", "b"] },
      .object("raw", "Raw", "whatever else", orNull: { $0.extra }),
      .flag("long", "Long", "whether it is", orNull: { $0.extra == nil ? nil : $0.length > 5 }),
      .time(
        "at", "At", "when it was", orNull: { $0.name == nil ? nil : Timestamp(seconds: Int64($0.length)) }),
      .number("share", "Share", "of all", orNull: { $0.name == nil ? nil : Double($0.length) / 2 }),
    ]
  }

  struct Trip {
    var ride = Ride()
  }

  private func text(_ cell: FieldValue) -> String {
    var bytes: [UInt8] = []
    cell.appendJSON(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func values<R>(_ field: Field<R>, _ row: R, inside path: String? = nil) -> [String] {
    let path = path.map { JSON.Path($0) }
    var bytes: [UInt8] = []
    field.reader.append(row, &bytes)
    #expect(text(field.reader.value(row)) == String(decoding: bytes, as: UTF8.self))
    return [
      field.text(of: row) ?? "nil", text(field.reader.value(row)),
      text(field.comparedReader(inside: path)(row)), text(field.sortReader(inside: path)(row)),
    ]
  }

  @Test(arguments: [
    ("name", ["<home>", "\"home\"", "\"home\"", "\"home\""], ["nil", "null", "null", "null"]),
    ("extra", ["7", "{\"a\":5}", "7", "7"], ["7", "null", "7", "7"]),
    ("unit", ["km", "\"km\"", "\"km\"", "7"], ["km", "\"km\"", "\"km\"", "7"]),
    (
      "tags", ["a, b", #"["a","b"]"#, #"["a","b"]"#, #"["a","b"]"#],
      ["a, b", #"["a","b"]"#, #"["a","b"]"#, #"["a","b"]"#]
    ),
    ("raw", ["{\"a\":5}", "{\"a\":5}", "{\"a\":5}", "{\"a\":5}"], ["nil", "null", "null", "null"]),
    ("long", ["true", "true", "true", "true"], ["nil", "null", "null", "null"]),
    ("at", ["7", "7", "7", "7"], ["nil", "null", "null", "null"]),
    ("share", ["3.5", "3.5", "3.5", "3.5"], ["nil", "null", "null", "null"]),
  ])
  func fieldIsReadInEveryForm(path: String, full: [String], empty: [String]) throws {
    let field = try #require(Ride.fields.first { $0.column.path == path })
    let ride = Ride(extra: try JSON.parse(#"{"a":5}"#))
    let nothing = Ride(name: nil)
    #expect(values(field, ride) == full)
    #expect(values(field, nothing) == empty)
    // The same in what contains the row.
    let whole = field.of { (trip: Trip) in trip.ride }
    #expect(values(whole, Trip(ride: ride)) == full)
    #expect(values(whole, Trip(ride: nothing)) == empty)
  }

  @Test func onlySingleValuesAreOrdered() {
    #expect(
      Ride.fields.map(\.column).filter(\.isSortable).map(\.path)
        == ["name", "extra", "unit", "long", "at", "share"])
    #expect(Ride.fields[3].sorted { .integer(Int64($0.length)) }.column.isSortable)
    let types: [(CellType, Bool)] = [
      (.text, true), (.choice([]), true), (.integer, true), (.number, true), (.flag, true), (.time, true),
      (.day, true), (.any, true), (.list(.text), false), (.record([]), false), (.byName(.text), false),
      (.object, false),
    ]
    for (type, isSortable) in types {
      #expect(Column("x", title: "", meaning: "", type: type).isSortable == isSortable, "\(type.name)")
    }
  }

  /// Each kind of field, of 3 and of 0, which is null where the field can be.
  @Test func everyKindOfFieldIsRead() throws {
    let parts: Fields<Int> = [.integer("n", "N", "") { $0 }]
    @Sendable func orNull<Value>(_ number: Int, _ value: Value) -> Value? { number == 0 ? nil : value }
    let fields: Fields<Int> = [
      .text("f", "F", "") { "\($0)" }, .text("f", "F", "", orNull: { orNull($0, "x") }),
      .integer("f", "F", "") { $0 }, .integer("f", "F", "", orNull: { orNull($0, $0) }),
      .number("f", "F", "") { Double($0) + 0.5 }, .number("f", "F", "", orNull: { orNull($0, 0.25) }),
      .flag("f", "F", "") { $0 > 0 }, .flag("f", "F", "", orNull: { orNull($0, true) }),
      .choice("f", "F", "") { $0 > 0 ? RowEvent.Kind.changed : .added },
      .day("f", "F", "") { CalendarDay(daysSinceEpoch: $0) },
      .time("f", "F", "") { Timestamp(seconds: Int64($0)) },
      .time("f", "F", "", orNull: { orNull($0, Timestamp(seconds: 5)) }),
      .list("f", "F", "") { ["\($0)", "b"] }, .list("f", "F", "", of: .day) { $0 > 0 ? ["c"] : [] },
      .rows("f", "F", "", of: parts) { $0 > 0 ? [1, $0] : [] },
      .rowsOrNull("f", "F", "", of: parts) { orNull($0, [$0]) },
      .object("f", "F", "", orNull: { $0 == 0 ? nil : try? JSON.parse("{}") }),
    ]
    let expected = [
      "text: \"3\" \"0\"", "text or null: \"x\" null", "integer: 3 0", "integer or null: 3 null",
      "number: 3.5 0.5", "number or null: 0.25 null", "true or false: true false",
      "true or false or null: true null", "added | changed | removed: \"changed\" \"added\"",
      "day, YYYY-MM-DD: \"1970-01-04\" \"1970-01-01\"", "unix seconds: 3 0", "unix seconds or null: 5 null",
      "list of text: [\"3\",\"b\"] [\"0\",\"b\"]", "list of day, YYYY-MM-DD: [\"c\"] []",
      "list of object with n: [{\"n\":1},{\"n\":3}] []", "list of object with n or null: [{\"n\":3}] null",
      "object or null: {} null",
    ]
    for (field, expected) in zip(fields, expected) {
      let column = field.column
      let name = column.type.name + (column.isOptional ? " or null" : "")
      #expect("\(name): \(text(field.reader.value(3))) \(text(field.reader.value(0)))" == expected)
      #expect(column.isShown && column.path == "f" && column.title == "F")
      let whole = field.of { (range: Range<Int>) in range.lowerBound }
      for number in [3, 0] { #expect(values(whole, number..<9) == values(field, number)) }
    }
    #expect(fields.count == expected.count)
    #expect(CellType.byName(.list(.integer)).name == "object, list of integer by name")
  }

  /// A text of the row's own is that of the whole value, and so is a value for CSV.
  @Test func ownTextAppliesToWholeValueOnly() throws {
    let ride = Ride(extra: try JSON.parse(#"{"a":5}"#))
    let raw = Ride.fields[4].shown { _ in TableCell("whole", .red) }
    #expect(raw.shownReader(inside: nil)(ride) == TableCell("whole", .red))
    #expect(raw.shownReader(inside: JSON.Path("a"))(ride) == TableCell("5"))
    let extra = Ride.fields[1]
    #expect(extra.shownReader(inside: nil)(ride) == TableCell("7"))
    let readers = [false, true].map { extra.reader(inside: nil, isFlat: $0) }
    #expect(readers.map { text($0.value(ride)) } == [#"{"a":5}"#, "7"])
    #expect(text(extra.reader(inside: JSON.Path("a"), isFlat: true).value(ride)) == "5")
  }

  @Test func pathReadsValueInsideObject() throws {
    let ride = Ride(extra: try JSON.parse(#"{"a":5}"#))
    let (extra, unit) = (Ride.fields[1], Ride.fields[2])
    #expect(values(extra, ride, inside: "a") == ["7", "{\"a\":5}", "5", "5"])
    #expect(values(unit, ride, inside: "a") == ["km", "\"km\"", "null", "null"])
  }
}

@Suite struct FieldValueTests {
  /// The text of CSV and TSV, and whether TSV has to look for what it escapes.
  @Test func valueIsWrittenAsText() {
    let cases: [(FieldValue, String, Bool)] = [
      (.null, "", false), (.text("a\tb"), "a\tb", true), (.integer(-3), "-3", false),
      (.flag(true), "true", false), (.number(1.5), "1.5", false),
      (.list([.text("a"), .null]), #"["a",null]"#, true), (.number(2), "2", false),
      // JSON has no such number, and text needs no exponent.
      (.number(.infinity), "null", false), (.number(1e21), "1000000000000000000000", false),
      (.record([("a", .integer(1)), ("b", .text("x"))]), #"{"a":1,"b":"x"}"#, true),
    ]
    for (value, text, mayNeedEscape) in cases {
      var bytes = Array("|".utf8)
      #expect(value.appendText(to: &bytes) == mayNeedEscape)
      #expect(String(decoding: bytes, as: UTF8.self) == "|" + text)
    }
  }

  @Test func valueIsShownInTable() throws {
    let null = TableCell("-", .dim)
    let object = try JSON.parse(#"{"a":[1],"n":null,"s":"x","i":5}"#)
    let cells: [(FieldValue, TableCell)] = [
      (.null, null), (.json(object["n"]), null), (.json(object["none"]), null),
      (.text("a\n"), TableCell("a\n")), (.text(""), TableCell("")), (.flag(true), TableCell("true")),
      (.integer(-5), TableCell("-5")), (.number(2), TableCell("2")),
      (.number(1e21), TableCell("1" + String(repeating: "0", count: 21))),
      (.list([.text("a"), .null, .list([.integer(1), .flag(false)])]), TableCell("a, -, 1, false")),
      (.list([]), TableCell("")), (.record([("a", .integer(1))]), TableCell(#"{"a":1}"#)),
      (.json(object["s"]), TableCell("x")), (.json(object["i"]), TableCell("5")),
      (.json(object["a"]), TableCell("[1]")),
    ]
    for (cell, shown) in cells { #expect(TableCell(cell) == shown, "\(cell)") }
  }

  @Test(arguments: [
    (#""a\tb""#, "a\tb", true), (#""a\\b""#, #"a\b"#, true), ("5", "5", false), ("true", "true", false),
    ("null", "", false), (#"{"a":"\t"}"#, #"{"a":"\t"}"#, true),
  ])
  func jsonValueIsWrittenAsText(json: String, text: String, mayNeedEscape: Bool) throws {
    var bytes: [UInt8] = []
    #expect(try FieldValue.json(JSON.parse(json)).appendText(to: &bytes) == mayNeedEscape)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}

/// Rows inside a row are objects with the shape that they have on their own.
@Suite struct NestedRowTests {
  private struct Part: Row {
    let number: Int

    static let fields: Fields<Part> = [
      .integer("count.old", "Old", "before") { $0.number },
      .integer("count.new", "New", "now", orNull: { $0.number > 0 ? $0.number + 1 : nil }),
      .text("name", "Name", "the name") { "n\($0.number)" },
    ]
  }

  private struct Whole: Row {
    var parts: [Part]?

    static let fields: Fields<Whole> = [
      .rows("some", "Some", "rows", of: Part.fields) { $0.parts ?? [] },
      .rowsOrNull("any", "Any", "rows, or null", of: Part.fields) { $0.parts },
    ]
  }

  private func json<R: Row>(_ row: R) throws -> String {
    try written(.jsonl) { output throws(Failure) in try output.write(row) }
  }

  @Test func rowsInsideRowsAreNested() throws {
    let parts = [Part(number: 0), Part(number: 7)]
    let rows = try parts.map { try json($0).dropLast() }.joined(separator: ",")
    #expect(rows.hasPrefix(#"{"count":{"old":0,"new":null},"name":"n0"},"#))
    #expect(try json(Whole(parts: parts)) == #"{"some":[\#(rows)],"any":[\#(rows)]}"# + "\n")
  }

  @Test func missingInnerRowsAreNullOrEmpty() throws {
    #expect(try json(Whole()) == #"{"some":[],"any":null}"# + "\n")
    #expect(try json(Whole(parts: [])) == #"{"some":[],"any":[]}"# + "\n")
  }
}
