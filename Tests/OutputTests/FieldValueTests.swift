import JSON
import System
import Testing

@testable import Output

@Suite struct FieldValues {
  /// The text of CSV and TSV, and whether TSV has to look for what it escapes.
  @Test func asText() {
    let cases: [(FieldValue, String, Bool)] = [
      (.null, "", false), (.text("a\tb"), "a\tb", true), (.integer(-3), "-3", false),
      (.flag(true), "true", false), (.number(1.5), "1.5", false),
      (.list([.text("a"), .null]), #"["a",null]"#, true),
    ]
    for (value, text, mayNeedEscape) in cases {
      var bytes = Array("|".utf8)
      #expect(value.appendText(to: &bytes) == mayNeedEscape)
      #expect(String(decoding: bytes, as: UTF8.self) == "|" + text)
    }
  }

  @Test(
    arguments: [
      (#""a\tb""#, "a\tb", true), (#""a\\b""#, #"a\b"#, true), ("5", "5", false), ("true", "true", false),
      ("null", "", false), (#"{"a":"\t"}"#, #"{"a":"\t"}"#, true),
    ])
  func ofJSONAsText(json: String, text: String, mayNeedEscape: Bool) throws {
    var bytes: [UInt8] = []
    #expect(try FieldValue.json(JSON.parse(json)).appendText(to: &bytes) == mayNeedEscape)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}
