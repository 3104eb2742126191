import System
import Testing

@testable import JSON

/// Texts one after another, as `cat` and paged responses make them.
@Suite struct ConcatenatedTextTests {
  @Test(arguments: [
    ("[1,2]\n[3]\n", ["1", "2", "3"]), ("[1][2]", ["1", "2"]), ("[][]", []),
    ("[[1]] [[2],3]", ["[1]", "[2]", "3"]), ("\u{FEFF}[1]\n\u{FEFF}[2]", ["1", "2"]),
    ("\u{FEFF}{\"a\":1}\n{\"a\":2}", ["{\"a\":1}", "{\"a\":2}"]), ("{}\u{FEFF}{}", ["{}", "{}"]),
    ("[1]{\"a\":2}[3]", ["1", "{\"a\":2}", "3"]), ("[1] 2 [3]", ["1", "2", "3"]),
    // The first value decides: rows of JSON lines may be arrays.
    ("{} [1,2] 3", ["{}", "[1,2]", "3"]), ("\u{FEFF}", []),
  ]) func concatenatedTextsAreOneList(_ text: String, _ expected: [String]) throws {
    for chunk in [1, 2, 3, .max] {
      var stream = JSONStream(MemorySource(text.utf8, chunk: chunk), concatenated: true)
      #expect(try elements(&stream) == expected)
    }
  }

  @Test(arguments: [
    ("[1],", 1, "line 1, column 4: expected a value, found ','"),
    ("[1]]", 1, "line 1, column 4: expected a value, found ']'"),
    ("[1]\n[2,x]", 2, "line 2, column 4, at [1]: expected a value, found 'x'"),
    ("[\u{FEFF}1]", 0, "line 1, column 2, at [0]: expected a value, found '\u{FEFF}'"),
    ("[1] \u{FEFF}", 1, nil),
    // It begins with the first byte of a byte order mark.
    ("[1] \u{FF11}", 1, "line 1, column 5: expected a value, found '\u{FF11}'"),
  ]) func concatenatedTextsAreChecked(_ text: String, _ count: Int, _ message: String?) {
    var stream = JSONStream(MemorySource(text.utf8, chunk: 2), concatenated: true)
    var read = 0
    do throws(Failure) {
      while try stream.next() != nil { read += 1 }
      #expect(message == nil)
    } catch {
      #expect(error.message == message)
    }
    #expect(read == count)
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
