import System
import Testing

@testable import JSON

/// A prepared path finds what the subscripts find, and complains like them.
@Suite struct PathTests {
  let text =
    #"{"city":{"en":"Bern"},"list":[{"name":"a"},{"name":"b"}],"a.b":1,"0":{"1":"one"},"x":{"":2},"[":3,"grid":[[1,2],[3,4]]}"#

  @Test(arguments: [
    ("", "{"), ("city", "{"), ("city.en", "\"Bern\""), ("list[1].name", "\"b\""), ("list.1.name", "\"b\""),
    ("list[1]name", "\"b\""), ("list.[1].name", "\"b\""), (#"["a.b"]"#, "1"), (#"["city"].en"#, "\"Bern\""),
    (#"["city"]["en"]"#, "\"Bern\""), ("0.1", "\"one\""), (#"0["1"]"#, "\"one\""), ("x.", "2"),
    (#"x[""]"#, "2"), ("[", "3"), ("grid[1][0]", "3"), ("grid.1.0", "3"), ("grid[01][0]", "3"),
  ]) func pathFindsValue(_ path: String, _ raw: String) throws {
    var bytes: [UInt8] = []
    try JSON.parse(text)[JSON.Path(path)].appendRaw(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(raw))
    #expect(!bytes.isEmpty)
  }

  @Test(arguments: [
    ("town", "town", 1), ("city.fr", "city.fr", 9), ("city.fr.deep[2]", "city.fr.deep[2]", 9),
    ("list[2].name", "list[2].name", 30),
    ("list[99999999999999999999]", #"list["[99999999999999999999]"]"#, 30), ("city.en.x", "city.en.x", 15),
    ("city[0]", "city[0]", 9), ("list.name", "list.name", 30), ("list.7", "list.7", 30),
    ("..", #"[""][""][""]"#, 1), ("list[-1]", #"list["[-1]"]"#, 30),
  ]) func missingPartOfPathIsNamed(_ path: String, _ shown: String, _ column: Int) throws {
    let json = try JSON.parse(text)[JSON.Path(path)]
    #expect(json.kind == .absent)
    let failure = #expect(throws: Failure.self) { try json.string }
    #expect(failure?.message == "line 1, column \(column), at \(shown): expected a string, found nothing")
  }

  @Test func pathContinuesBelowMissingValue() throws {
    let json = try JSON.parse(text)
    #expect(json["no"][JSON.Path("city.en")].path == "no.city.en")
    #expect(json[JSON.Path("no")]["a"][1].path == "no.a[1]")
    #expect(json["city"][JSON.Path("en")].path == "city.en")
  }

  /// A message quotes no name of any length.
  @Test func longNameIsShortenedInPath() {
    let longest = String(repeating: "a", count: 64)
    #expect(JSON.Path(names: ["x", longest]).description == "x.\(longest)")
    #expect(JSON.Path(names: ["x", longest + "b", "y"]).description == "x[\"\(longest)…\"].y")
    let spaced = String(longest.dropLast()) + " "
    #expect(JSON.Path(names: [spaced]).description == "[\"\(spaced)\"]")
    #expect(JSON.Path(names: [spaced + "b"]).description == "[\"\(spaced)…\"]")
  }

  @Test(arguments: [
    ("[2].a[0][1].b", ["[2]", "a[0][1]", "b"]), ("2.a", ["2", "a"]), ("", []),
    (#"a."b.c".d"#, ["a", "b.c", "d"]), ("list[2].name", ["list[2]", "name"]), (#""a"[1].b"#, ["a[1]", "b"]),
    // What goes on behind its quotes is no name in quotes.
    (#""a"b.c"#, [#""a"b"#, "c"]),
  ]) func memberNamesIncludeIndexes(_ path: String, _ names: [String]) {
    #expect(JSON.Path(path).memberNames == names)
  }

  @Test func pathOfNamesNeedsNoQuotes() throws {
    let path = JSON.Path(names: ["a.b"])
    #expect(try JSON.parse(text)[path].int == 1)
    #expect(path.description == #"["a.b"]"#)
    #expect(JSON.Path("city.en").description == "city.en")
    #expect(JSON.Path(names: ["list", "1"]).description == "list.1")
    #expect(try JSON.parse(text)[JSON.Path(names: ["list", "1"])].kind == .absent)
  }
}

@Suite struct QuotedNameTests {
  let text = #"{"a.b":1,"a":{"b":2,"c d":{"e,f":3}},"say \"x\"":4,"[0]":5,"q\"":6}"#

  @Test(arguments: [
    (#""a.b""#, "1"), ("a.b", "2"), (#""a".b"#, "2"), (#"a."c d"."e,f""#, "3"), (#"a["c d"]["e,f"]"#, "3"),
    (#""say \"x\"""#, "4"), (#"["say \"x\""]"#, "4"), (#""[0]""#, "5"), (#""\u0061.b""#, "1"), (#"q""#, "6"),
  ]) func quotedNameIsOneStepOfPath(_ path: String, _ raw: String) throws {
    #expect(rawText(try JSON.parse(text)[JSON.Path(path)]) == raw)
  }

  @Test func shownPathIsParsedBack() throws {
    for names in [["a.b"], ["a", "c d", "e,f"], [#"say "x""#], ["[0]"], ["", "é"], ["back\\slash"]] {
      #expect(JSON.Path(JSON.Path(names: names).description).memberNames == names)
    }
  }

  @Test(arguments: [
    ("a,b", ["a", "b"]), (#""a,b",c"#, [#""a,b""#, "c"]),
    (#"x."a,b",["c,d"],-"e,f""#, [#"x."a,b""#, #"["c,d"]"#, #"-"e,f""#]),
    (#"a"b,c"d"#, [#"a"b"#, #"c"d"#]), (#""a,b"#, [#""a"#, "b"]), ("", [""]), (",", ["", ""]),
    (#""a\",b",c"#, [#""a\",b""#, "c"]), (#""a""b,c""#, [#""a""b"#, #"c""#]),
  ]) func listOfPathsIsSplitOutsideQuotes(_ list: String, _ parts: [String]) {
    #expect(PathText.list(list) == parts)
  }

  @Test func unselectedNameIsReported() throws {
    var projection = JSON.Projection([JSON.Path("a"), JSON.Path("b.c")])
    for (row, other) in [
      (#"{"b":{"x":1},"a":1}"#, nil), (#"{"a":1,"é":2,"z":3}"#, "é"), ("[1]", nil), ("{}", nil),
    ] {
      projection.find(in: try JSON.parse(row))
      #expect(projection.otherName == other)
    }
    var none = JSON.Projection([])
    none.find(in: try JSON.parse(#"{"a":1}"#))
    #expect(none.otherName == "a")
    none.find(in: try JSON.parse("{}"))
    #expect(none.otherName == nil)
    // Names below the row are not names of the row.
    var element = JSON.Projection([JSON.Path("a[0]")])
    element.find(in: try JSON.parse(#"{"a":{"x":1}}"#))
    #expect(element.otherName == nil)
  }
}
