import JSON
import System
import Testing

/// What a view is read as, and what it says where it is something else.
@Suite struct ReaderTests {
  let text = """
    {
      "alias": "ACINQ \\u26a1\\n", "channels": 2570, "ok": true, "no": false, "none": null, "ratio": 0.25,
      "beeList": [{"name": "BeeGees"}, {"name": "BeeWare"}, {"name": 3}], "empty": {}, "list": [],
      "city": {"en": "Bern", "zh-CN": "伯尔尼"}, "twice": 1, "twice": 2, "\\u006bey \\"q\\"": 5, "": 6,
      "a name longer than eight bytes": 7, "a name longer than eight bytes!": 8, "12345678": 9, "1234567": 10
    }
    """

  var json: JSON { get throws { try JSON.parse(text) } }

  /// The ends of strings are looked up 64 bytes at a time: wherever they fall, they are found.
  @Test(arguments: [0, 1, 62, 63, 64, 65, 127, 128, 200])
  func endOfStringIsFound(length: Int) throws {
    for before in 0..<70 {
      let first = String(repeating: "a", count: before)
      let second = String(repeating: "é", count: length / 2) + String(repeating: "b", count: length % 2)
      let array = try JSON.parse("[\"\(first)\",\"\(second)\\n\(first)\\\"\",\"\"]").array
      #expect(try array.map { try $0.string } == [first, "\(second)\n\(first)\"", ""])
      #expect(throws: Failure.self) { try JSON.parse("[\"\(first)\",\"\(second)\u{1}\"]") }
    }
  }

  @Test(arguments: [
    ("[1, 2]", false), ("[1,\n2]", true), ("[1,\n\n2]", true), ("\n[1, 2]\n", false), ("1", false),
    ("{\"a\":\r\n1}", true), ("{\"a\":\"\\n\"}", false),
  ])
  func lineBreakWithinValueIsKnown(text: String, hasOne: Bool) throws {
    #expect(try JSON.parse(text).hasLineBreak == hasOne)
  }

  @Test func readsEachKind() throws {
    #expect(try json["alias"].string == "ACINQ ⚡\n")
    #expect(try json["channels"].int == 2570)
    #expect(try json["ok"].bool)
    #expect(try json["no"].bool == false)
    #expect(try json["ratio"].double == 0.25)
    #expect(try json["channels"].double == 2570)
    #expect(try json["beeList"].array.map { $0.kind } == [.object, .object, .object])
    #expect(try json["beeList"][1]["name"].string == "BeeWare")
    #expect(try json["city"].members.map { $0.key } == ["en", "zh-CN"])
    #expect(try json["city"].members.map { try $0.value.string } == ["Bern", "伯尔尼"])
    #expect(try Array(json["empty"].members).isEmpty)
    #expect(try json["list"].array.isEmpty)
    #expect(try json["beeList"].array.count == 3)
    #expect(Array(try json["city"].members).count == 2)
    #expect(try json["beeList"].array.isEmpty == false)
  }

  @Test func knowsKinds() throws {
    let kinds: [(String, JSON.Kind)] = [
      ("alias", .string), ("channels", .number), ("ok", .bool), ("no", .bool), ("none", .null),
      ("ratio", .number), ("beeList", .array), ("empty", .object), ("nothing", .absent),
    ]
    for (name, kind) in kinds { #expect(try json[name].kind == kind) }
    #expect(try json["alias"]["deeper"].kind == .absent)
    #expect(try json["list"][0].kind == .absent)
    #expect(try json["beeList"][-1].kind == .absent)
    #expect(try json["beeList"][3].kind == .absent)
    #expect(try json["city"][0].kind == .absent)
  }

  @Test func absentValueHasNoText() throws {
    for absent in [try json["nothing"], try json["list"][0], try json["alias"]["deeper"]] {
      var bytes: [UInt8] = []
      absent.appendRaw(to: &bytes)
      absent.appendSafely(to: &bytes)
      #expect(!absent.appendBare(to: &bytes) && bytes.isEmpty)
      #expect(!absent.appendBare(JSON.Path("alias"), to: &bytes) && bytes.isEmpty)
      #expect(!absent.hasLineBreak && absent.hasRawBytes([]))
      #expect(throws: Failure.self) { try absent.string }
    }
  }

  @Test func namesAreComparedAsBytes() throws {
    #expect(try json["twice"].int == 2)
    #expect(try json["key \"q\""].int == 5)
    #expect(try json[""].int == 6)
    #expect(try json["a name longer than eight bytes"].int == 7)
    #expect(try json["a name longer than eight bytes!"].int == 8)
    #expect(try json["12345678"].int == 9)
    #expect(try json["1234567"].int == 10)
    for name in [
      "a name longer than eight bytes?", "a name longer than eight byte", "123456789", "1234568", "Alias",
      "alia", "en", "name",
    ] {
      #expect(try json[name].kind == .absent)
    }
    // Two spellings of é are two names: bytes are compared, not characters.
    #expect(try JSON.parse("{\"\u{E9}\":1}")["e\u{301}"].kind == .absent)
  }

  @Test func lastOfRepeatedMembersCounts() throws {
    #expect(try JSON.parse(#"{"a":1,"\u0061":2}"#)["a"].int == 2)
    #expect(try JSON.parse(#"{"\u0061":2,"a":1}"#)["a"].int == 1)
    #expect(try JSON.parse(#"{"a":{"a":3},"b":[{"a":4}]}"#)["a"]["a"].int == 3)
  }

  @Test func nullAndAbsentAreNil() throws {
    #expect(try json["none"].orNull == nil)
    #expect(try json["nothing"].orNull == nil)
    #expect(try json["nothing"]["deeper"][1].orNull == nil)
    #expect(try json["channels"].orNull?.int == 2570)
  }

  @Test func textContainingJSONIsParsed() throws {
    let json = try JSON.parse(#"{"a":"{\"en\": \"Hesse\"}","b":{"en":"Hesse"},"c":null,"d":"{","e":3}"#)
    #expect(try json["a"].unwrapped["en"].string == "Hesse")
    #expect(try json["b"].unwrapped["en"].string == "Hesse")
    #expect(try json["c"].unwrapped.kind == .null)
    #expect(try json["e"].unwrapped.int == 3)
    #expect(try json["x"].unwrapped.kind == .absent)
    let failure = #expect(throws: Failure.self) { try json["d"].unwrapped }
    #expect(
      failure?.message
        == "line 1, column 60, at d: in the JSON text of this string: line 1, column 2: expected a name in quotes or '}', found the end"
    )
  }

  static let complaints: [(String, @Sendable (JSON) throws -> Void)] = [
    (
      "line 3, column 66, at beeList[2].name: expected a string, found a number",
      { _ = try $0["beeList"][2]["name"].string }
    ),
    (
      "line 3, column 57, at beeList[2].color: expected a string, found nothing",
      { _ = try $0["beeList"][2]["color"].string }
    ),
    (
      "line 3, column 14, at beeList[7].name: expected a string, found nothing",
      { _ = try $0["beeList"][7]["name"].string }
    ),
    ("line 1, column 1, at a.b[0]: expected an integer, found nothing", { _ = try $0["a"]["b"][0].int }),
    ("line 2, column 12, at alias: expected an integer, found a string", { _ = try $0["alias"].int }),
    ("line 2, column 12, at alias: expected a number, found a string", { _ = try $0["alias"].double }),
    ("line 2, column 12, at alias: expected a number, found a string", { _ = try $0["alias"].number }),
    ("line 2, column 12, at alias: expected true or false, found a string", { _ = try $0["alias"].bool }),
    ("line 2, column 12, at alias: expected an array, found a string", { _ = try $0["alias"].array }),
    ("line 2, column 12, at alias: expected an object, found a string", { _ = try $0["alias"].members }),
    ("line 2, column 54, at ok: expected a string, found true or false", { _ = try $0["ok"].string }),
    ("line 2, column 81, at none: expected a string, found null", { _ = try $0["none"].string }),
    ("line 2, column 96, at ratio: expected an integer of 64 bits, found 0.25", { _ = try $0["ratio"].int }),
    ("line 4, column 11, at city: expected a string, found an object", { _ = try $0["city"].string }),
    ("line 3, column 92, at list: expected true or false, found an array", { _ = try $0["list"].bool }),
    ("line 1, column 1: expected an array, found an object", { _ = try $0.array }),
  ]

  @Test(arguments: complaints.indices) func readingFailureNamesPosition(_ number: Int) throws {
    let (message, read) = ReaderTests.complaints[number]
    let failure = #expect(throws: Failure.self) { try read(json) }
    #expect(failure?.message == message)
    #expect(failure?.kind == .invalidData)
  }

  @Test func invalidNamesPositionAndReason() throws {
    let failure = try json["city"]["en"].invalid("not a town of Italy")
    #expect(failure.message == "line 4, column 18, at city.en: not a town of Italy")
  }

  @Test func valueKnowsItsPath() throws {
    #expect(try json.path == "")
    #expect(try json["beeList"][2]["name"].path == "beeList[2].name")
    #expect(try json["beeList"].array.map { $0.path } == ["beeList[0]", "beeList[1]", "beeList[2]"])
    #expect(try json["x"][1]["y z"].path == #"x[1]["y z"]"#)
    #expect(try json[""].path == #"[""]"#)
    #expect(try json["key \"q\""].path == #"["key \"q\""]"#)
    let long = String(repeating: "n", count: 70)
    #expect(try json[long].path == "[\"" + long.prefix(64) + "…\"]")
  }

  @Test func rawBytesAreReturned() throws {
    var bytes: [UInt8] = []
    try json["alias"].appendRaw(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #""ACINQ \u26a1\n""#)
    for (name, raw) in [
      ("city", #"{"en": "Bern", "zh-CN": "伯尔尼"}"#), ("channels", "2570"), ("none", "null"), ("list", "[]"),
      ("x", ""),
    ] {
      bytes = []
      try json[name].appendRaw(to: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == raw)
      #expect(try json[name].withRawBytes { $0.byteCount } == raw.utf8.count)
    }
  }

  @Test(arguments: [
    (#""\b\f\n\r\t\/\\\"""#, "\u{8}\u{C}\n\r\t/\\\""), (#""\u0000""#, "\0"), (#""\u00e9\u00E9""#, "éé"),
    (#""\u20ac""#, "€"), (#""\ud83d\ude00!""#, "😀!"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    (#""a\\u0041""#, "a\\u0041"), (#""\u005c""#, "\\"), (#""\u0022""#, "\""), (#""é\u0301""#, "é\u{301}"),
    (#""""#, ""), (#""\uD7FF\uE000""#, "\u{D7FF}\u{E000}"),
  ]) func resolvesEscapes(_ text: String, _ meaning: String) throws {
    #expect(try Array(JSON.parse(text).string.utf8) == Array(meaning.utf8))
  }

  /// The bytes may come from a string that is not stored as UTF-8 in one piece.
  @Test func partOfAStringIsParsed() throws {
    #expect(try JSON.parse(String("xx[1]yy".dropFirst(2).dropLast(2)))[0].int == 1)
  }

  /// Whether the text may hold a control character or a backslash is known without a look at its bytes.
  @Test(arguments: [
    ("null", "", false), ("true", "true", false), ("false", "false", false), ("-1.50e3", "-1.50e3", false),
    (#""""#, "", false), (#""a b""#, "a b", false), (#""a\n""#, "a\n", true), ("[1, 2]", "[1,2]", true),
    ("[]", "[]", true), (#"{"a" : "\u00e9"}"#, #"{"a":"é"}"#, true),
  ]) func bareTextReportsPossibleEscapes(_ text: String, _ bare: String, _ mayNeedEscape: Bool) throws {
    let row = try JSON.parse("{\"a\":\(text)}")
    var projection = JSON.Projection([JSON.Path("b"), JSON.Path("a")])
    projection.find(in: row)
    var bytes = Array("x".utf8)
    let flags = [
      row["a"].appendBare(to: &bytes), row.appendBare(JSON.Path("a"), to: &bytes),
      projection.appendBare(1, to: &bytes),
    ]
    #expect(flags == [mayNeedEscape, mayNeedEscape, mayNeedEscape])
    #expect(String(decoding: bytes, as: UTF8.self) == "x\(bare)\(bare)\(bare)")
    bytes = []
    let none = [row.appendBare(JSON.Path("b"), to: &bytes), projection.appendBare(0, to: &bytes)]
    #expect(none == [false, false] && bytes == [])
    #expect(projection.count == 2)
  }
}
