import System
import Testing

@testable import JSON

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
