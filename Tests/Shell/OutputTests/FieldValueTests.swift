import JSON
import System
import Terminal
import Testing

@testable import Output

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

  @Test(
    arguments: [
      (#""a\tb""#, "a\tb", true), (#""a\\b""#, #"a\b"#, true), ("5", "5", false), ("true", "true", false),
      ("null", "", false), (#"{"a":"\t"}"#, #"{"a":"\t"}"#, true),
    ])
  func jsonValueIsWrittenAsText(json: String, text: String, mayNeedEscape: Bool) throws {
    var bytes: [UInt8] = []
    #expect(try FieldValue.json(JSON.parse(json)).appendText(to: &bytes) == mayNeedEscape)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}
