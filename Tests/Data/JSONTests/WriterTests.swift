import JSON
import Testing

/// What is written, to the byte: as `jq -c .` and `jq .` have it.
@Suite struct WriterTests {
  func write(_ layout: JSONWriter.Layout = .compact, _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(layout)
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  func sample(_ writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("z")
      writer.integer(Int64.min)
      writer.key("a")
      writer.array { writer in
        writer.null()
        writer.bool(true)
        writer.bool(false)
        writer.double(0.1)
        writer.object { _ in }
        writer.array { _ in }
        writer.object {
          $0.key("b"); $0.string("é")
        }
      }
      writer.key(utf8: Array("k\"".utf8))
      writer.string(utf8: Array("v\n".utf8))
      writer.key("raw")
      writer.raw("[1, 2]".utf8)
      writer.key("u")
      writer.integer(Int64.max)
    }
  }

  @Test func writesCompactly() {
    #expect(
      write(.compact, sample)
        == #"{"z":-9223372036854775808,"a":[null,true,false,0.1,{},[],{"b":"é"}],"k\"":"v\n","raw":[1, 2],"u":9223372036854775807}"#
    )
  }

  @Test func writesIndented() {
    #expect(
      write(.indented, sample) == """
        {
          "z": -9223372036854775808,
          "a": [
            null,
            true,
            false,
            0.1,
            {},
            [],
            {
              "b": "é"
            }
          ],
          "k\\"": "v\\n",
          "raw": [1, 2],
          "u": 9223372036854775807
        }
        """)
  }

  @Test func topLevelHasNoSeparator() {
    #expect(
      write {
        $0.integer(1); $0.newline(); $0.string("a"); $0.newline(); $0.beginArray(); $0.endArray()
      } == "1\n\"a\"\n[]")
    #expect(
      write(.indented) {
        $0.beginArray(); $0.endArray(); $0.newline(); $0.beginObject(); $0.endObject()
      } == "[]\n{}")
  }

  @Test func writingAppendsToGivenBytes() {
    var writer = JSONWriter(into: Array("x=".utf8))
    writer.bool(true)
    #expect(writer.bytes == Array("x=true".utf8))
    writer.bytes.removeAll(keepingCapacity: true)
    writer.null()
    #expect(writer.bytes == Array("null".utf8))
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (0.1 + 0.2, "0.30000000000000004"),
    (1e16, "1e+16"), (1e22, "1e+22"), (.leastNonzeroMagnitude, "5e-324"),
    (Double.greatestFiniteMagnitude, "1.7976931348623157e+308"), (100, "100"), (1e-7, "1e-07"),
    (.infinity, "null"), (-.infinity, "null"), (.nan, "null"), (50.119504, "50.119504"),
  ]) func writesDoubles(_ value: Double, _ text: String) throws {
    #expect(write { $0.double(value) } == text)
    if value.isFinite { #expect(try JSON.parse(text).double == value) }
  }

  @Test(arguments: [
    ("", #""""#), ("abc", #""abc""#), ("\"\\/", #""\"\\/""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
    ("\u{0}\u{1}\u{B}\u{E}\u{1B}\u{1F}", #""\u0000\u0001\u000b\u000e\u001b\u001f""#),
    ("\u{7F}", "\"\u{7F}\""), ("é€😀\u{2028}", "\"é€😀\u{2028}\""),
    ("a\nb", #""a\nb""#), ("\n", #""\n""#), ("end\"", #""end\"""#),
    ("exactly 16 bytes", #""exactly 16 bytes""#), ("15 bytes and a \n", #""15 bytes and a \n""#),
    (
      "more than sixteen bytes\tand \"quoted\" ones\u{1}",
      #""more than sixteen bytes\tand \"quoted\" ones\u0001""#
    ),
  ]) func escapesStrings(_ text: String, _ written: String) throws {
    #expect(write { $0.string(text) } == written)
    #expect(write { $0.string(utf8: Array(text.utf8)) } == written)
    // A sequence that is not in one piece, too.
    #expect(write { $0.string(utf8: AnySequence(text.utf8)) } == written)
    #expect(write { $0.string(("x" + text).dropFirst()) } == written)
    var bytes: [UInt8] = []
    JSONWriter.appendString(text, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == written)
    #expect(try JSON.parse(written).string == text)
  }

  /// Bytes are not checked again, not even for the end of a character.
  @Test(arguments: [[0xC2], [0xD8], [0xE2], [0xE2, 0x80], [0x61, 0xE2, 0x80]] as [[UInt8]])
  func incompleteCharacterIsWrittenUnchanged(_ text: [UInt8]) {
    var writer = JSONWriter()
    writer.string(utf8: text)
    #expect(writer.bytes == [0x22] + text + [0x22])
  }

  @Test(arguments: [
    ("[]", "[]", "[]"), ("{ }", "{}", "{}"), (" 1.50e+3 ", "1.50e+3", "1.50e+3"),
    (#""\u00e9\/\n""#, #""é/\n""#, #""é/\n""#),
    (
      #"{"b" : [1, {"\u0061" : []}],"a":{}}"#, #"{"b":[1,{"a":[]}],"a":{}}"#,
      "{\n  \"b\": [\n    1,\n    {\n      \"a\": []\n    }\n  ],\n  \"a\": {}\n}"
    ),
    (#"[[],{},"x",null,true]"#, #"[[],{},"x",null,true]"#, "[\n  [],\n  {},\n  \"x\",\n  null,\n  true\n]"),
    (#"{"a":"{","b":"]"}"#, #"{"a":"{","b":"]"}"#, "{\n  \"a\": \"{\",\n  \"b\": \"]\"\n}"),
  ]) func readValuesAreWrittenUnchanged(_ text: String, _ compact: String, _ indented: String) throws {
    let json = try JSON.parse(text)
    #expect(write { $0.value(json) } == compact)
    #expect(write(.indented) { $0.value(json) } == indented)
  }

  @Test func partOfReadValueIsWritten() throws {
    let json = try JSON.parse(#"{"a":[1,{"b":2}],"c":3}"#)
    #expect(
      write {
        $0.array {
          $0.value(json["a"][1]); $0.value(json["c"]); $0.value(json["x"]); $0.value(json["a"])
        }
      } == #"[{"b":2},3,null,[1,{"b":2}]]"#)
  }

  @Test func writesMembers() throws {
    let read = try JSON.parse(#"{"list" : [1, 2]}"#)
    func members(_ writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("text", "a\"b")
        writer.member("one", 1)
        writer.member("least", Int64.min)
        writer.member("half", 0.5)
        writer.member("infinite", Double.infinity)
        writer.member("yes", true)
        writer.member("read", read["list"])
        writer.member("absent", read["none"])
        writer.member("other") { $0.integer(255) }
        writer.object("object") { $0.member("a", false) }
        writer.array("array") { $0.bool(true) }
      }
    }
    #expect(
      write { members(&$0) }
        == #"{"text":"a\"b","one":1,"least":-9223372036854775808,"half":0.5,"infinite":null,"#
        + #""yes":true,"read":[1,2],"absent":null,"other":255,"object":{"a":false},"array":[true]}"#)
    #expect(write(.indented) { writer in writer.object { $0.member("a", 1) } } == "{\n  \"a\": 1\n}")
  }

  @Test func writesNilAsNull() {
    let written = write { writer in
      writer.object { writer in
        writer.member("text", nil as String?)
        writer.member("int", nil as Int?)
        writer.member("int64", nil as Int64?)
        writer.member("double", nil as Double?)
        writer.member("bool", nil as Bool?)
        writer.member("json", nil as JSON?)
      }
    }
    #expect(written == #"{"text":null,"int":null,"int64":null,"double":null,"bool":null,"json":null}"#)
  }

  /// A terminal reacts to C1 and bidirectional controls as well, in a string that is written and in one passed on.
  @Test func escapesControlsOfATerminal() throws {
    let controls: [ClosedRange<UInt32>] = [
      0x80...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069,
    ]
    // All of two and three bytes, and some of four.
    for value in UInt32(0x23)...0x1_0100 where value != 0x5C {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let digits = String(value, radix: 16)
      let escape = "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      let isControl = controls.contains { $0.contains(value) }
      // Within the first 16 bytes, across their end, and last.
      func text(_ piece: String) -> String {
        "a\(piece)\(String(repeating: "b", count: 12))\(piece)ccc\(piece)"
      }
      let written = "\"\(text(isControl ? escape : String(scalar)))\""
      #expect(write { $0.string(text(String(scalar))) } == written)
      let json = try JSON.parse(Array("\"\(text(String(scalar)))\"".utf8))
      var safe: [UInt8] = []
      json.appendSafely(to: &safe)
      #expect(String(decoding: safe, as: UTF8.self) == written)
    }
  }

  @Test func appendsSingleValues() throws {
    let json = try JSON.parse(#"{"a" : [1, "é"]}"#)
    var bytes = Array("x".utf8)
    JSONWriter.appendNull(to: &bytes)
    for flag in [true, false] { JSONWriter.append(flag, to: &bytes) }
    for number in [Int64.min, -10, 0, 7, .max] {
      bytes.append(UInt8(ascii: " "))
      JSONWriter.append(number, to: &bytes)
    }
    for number in [0.5, -3, .nan] {
      bytes.append(UInt8(ascii: " "))
      JSONWriter.append(number, to: &bytes)
    }
    for value in [json["a"], json["none"], json] { JSONWriter.append(value, to: &bytes) }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"xnulltruefalse -9223372036854775808 -10 0 7 9223372036854775807 0.5 -3 null[1,"é"]null{"a":[1,"é"]}"#
    )
  }
}
