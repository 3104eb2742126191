import System
import Testing

@testable import JSON

/// An array in an object is handed out piece by piece, as one at the top is.
@Suite struct MemberStreamTests {
  private static let good: [(String, [String], Bool)] = [
    (#"{"list":[1,{"a":2},"x"]}"#, ["1", #"{"a":2}"#, "\"x\""], true), (#"{"list":[]}"#, [], true),
    (#" { "list" : [ 1 , 2 ] } "#, ["1", "2"], true),
    (#"{"a":{"list":[7]},"b":[3],"list":[1,2],"c":[4],"d":{"list":[5]},"e":null,"f":6}"#, ["1", "2"], true),
    (#"{"listing":[9],"lis":[8],"list":[1,2]}"#, ["1", "2"], true),
    // Without it an object is one value, and only the first is looked into.
    (#"{"a":{"list":[7]},"list":8}"#, [#"{"a":{"list":[7]},"list":8}"#], false), ("{}", ["{}"], false),
    ("{\"a\":1}\n{\"list\":[2]}", [#"{"a":1}"#, #"{"list":[2]}"#], false), ("[[1],2]", ["[1]", "2"], false),
    (#"[{"list":[1]}]"#, [#"{"list":[1]}"#], false), (#"["list",[1]]"#, ["\"list\"", "[1]"], false),
    ("", [], false),
  ]

  @Test(arguments: good)
  func elementsOfMemberAreReturned(text: String, expected: [String], isInMember: Bool) throws {
    for chunk in [1, 2, 3, 7, .max] {
      for bufferSize in [16, 65_536] {
        var stream = JSONStream(
          MemorySource(text.utf8, chunk: chunk), elementsOf: "list", bufferSize: bufferSize,
          largestElement: 4096)
        #expect(try elements(&stream) == expected)
        #expect(stream.isInMember == isInMember)
      }
    }
  }

  private static let bad: [(String, Int, String)] = [
    (#"{"list":[1,x]}"#, 1, "line 1, column 12, at list[1]: expected a value, found 'x'"),
    ("{\"list\":[1,\n{\"a\":[0,]}]}", 1, "line 2, column 9, at list[1].a[1]: expected a value, found ']'"),
    (#"{"list":[1 2]}"#, 1, "line 1, column 12: expected ',' or ']', found '2'"),
    (#"{"list":[1"#, 1, "line 1, column 11: expected ',' or ']', found the end"),
    (#"{"list":[1,"#, 1, "line 1, column 12, at list[1]: expected a value, found the end"),
    (#"{"list":[1]"#, 1, "line 1, column 12: expected ',' or '}', found the end"),
    (#"{"list":[1]]"#, 1, "line 1, column 12: expected ',' or '}', found ']'"),
    (#"{"list":[1],}"#, 1, "line 1, column 13: expected a name in quotes, found '}'"),
    (#"{"list":[1],"a"}"#, 1, "line 1, column 16: expected ':', found '}'"),
    (#"{"list":[1],"a":}"#, 1, "line 1, column 17: expected a value, found '}'"),
    (#"{"list":[1],"a":[x]}"#, 1, "line 1, column 18, at [0]: expected a value, found 'x'"),
    (#"{"list":[1],"a":"#, 1, "line 1, column 17: expected a value, found the end"),
    (#"{"list":[1],"#, 1, "line 1, column 13: expected a name in quotes, found the end"),
    (#"{"list":[1],"a""#, 1, "line 1, column 16: expected ':', found the end"),
    (#"{"list":[1]} 2"#, 1, "line 1, column 14: expected the end, found '2'"),
    (#"{"a":x,"list":[1]}"#, 0, "line 1, column 6, at a: expected a value, found 'x'"),
  ]

  @Test(arguments: bad)
  func textAroundMemberIsChecked(text: String, count: Int, message: String) {
    for chunk in [1, 5, .max] {
      var stream = JSONStream(MemorySource(text.utf8, chunk: chunk), elementsOf: "list")
      var read = 0
      let failure = #expect(throws: Failure.self) { while try stream.next() != nil { read += 1 } }
      #expect(failure?.message == message)
      #expect(read == count)
    }
  }

  @Test func keptElementKnowsItsPath() throws {
    var stream = JSONStream(MemorySource(#"{"list":[1,{"a":[5]},3]}"#.utf8), elementsOf: "list")
    _ = try stream.next()
    let kept = try #require(try stream.next())
    while try stream.next() != nil {}
    #expect(kept["a"][0].path == "list[1].a[0]")
  }
}

/// One bad line does not make an end of the others.
@Suite struct BadLineStreamTests {
  private static let texts: [([UInt8], [String])] = [
    (Array("{\"a\":1}\n{\"a\":\n{\"a\":3}\n".utf8), [#"{"a":1}"#, "bad 2", #"{"a":3}"#]),
    (Array("x\n1\n".utf8), ["bad 1", "1"]), (Array("1\nx".utf8), ["1", "bad 2"]),
    (Array("{\"a\":1} x\n2\n".utf8), [#"{"a":1}"#, "bad 1", "2"]),
    (Array("{\"a\":\"\n\"b\"\n[[\n3\n".utf8), ["bad 1", "\"b\"", "bad 3", "3"]),
    (Array("{\"a\":[1\n\n\n2\n".utf8), ["bad 1", "2"]),
    (Array("1\n\"".utf8) + [0xFF] + Array("\"\n2\n".utf8), ["1", "bad 2", "2"]),
    (Array("\"ü".utf8) + [0xC3, 0x0A] + Array("\"ü\"\n".utf8), ["bad 1", "\"ü\""]),
    (Array("1\"a\"\n2\n".utf8), ["1", "bad 1", "2"]),
    // With pieces of three bytes, the one that ends the bad line ends within a character.
    (Array("xab\n\"ü\"\n".utf8), ["bad 1", "\"ü\""]),
    ([0xFF, 0xFE, 0x80], ["bad 1"]), (Array("{\"a\":1}\n{".utf8), [#"{"a":1}"#, "bad 2"]),
  ]

  @Test(arguments: texts)
  func readingContinuesAfterBadLine(text: [UInt8], expected: [String]) throws {
    for chunk in [1, 2, 3, 7, .max] {
      for bufferSize in [16, 65_536] {
        var stream = JSONStream(
          MemorySource(text, chunk: chunk), bufferSize: bufferSize, largestElement: 4096)
        #expect(try read(&stream) == expected)
      }
    }
  }

  @Test func tooLongLineIsSkipped() throws {
    let text = "1\n\"\(String(repeating: "x", count: 5000))\"\n2\n"
    var stream = JSONStream(MemorySource(text.utf8, chunk: 100), bufferSize: 64, largestElement: 1000)
    #expect(try read(&stream) == ["1", "bad 2", "2"])
  }

  @Test(arguments: ["[1,\nx,\n2]", #"{"list":[1,x]}"#])
  func badElementOfArrayEndsStream(text: String) throws {
    var stream = JSONStream(MemorySource(text.utf8), elementsOf: "list")
    _ = try stream.next()
    let failure = #expect(throws: Failure.self) { _ = try stream.next() }
    #expect(try stream.skipLine() == nil)
    let again = #expect(throws: Failure.self) { _ = try stream.next() }
    #expect(again == failure)
  }

  /// A source that fails once does not go on behind the line that it left open.
  @Test func sourceFailureWithinBadLineEndsStream() {
    final class Source: ByteSource {
      var reads = 0
      func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
        reads += 1
        if reads == 2 { throw Failure(.storage, "broken") }
        return MemorySource(reads == 1 ? "x".utf8 : "y\n1\n".utf8).read(into: &buffer)
      }
    }
    var stream = JSONStream(Source())
    let first = #expect(throws: Failure.self) { _ = try stream.next() }
    #expect(first?.kind == .invalidData)
    #expect(throws: Failure(.storage, "broken")) { _ = try stream.skipLine() }
    #expect(throws: Failure(.storage, "broken")) { _ = try stream.next() }
  }

  private func read(_ stream: inout JSONStream) throws -> [String] {
    var texts: [String] = []
    while true {
      do {
        guard let element = try stream.next() else { return texts }
        texts.append(rawText(element))
      } catch {
        texts.append("bad \(try #require(try stream.skipLine()))")
      }
    }
  }
}
