import System
import Testing

@testable import JSON

/// Elements come one after another, as soon as they are there, from a buffer that does not grow with the text.
@Suite struct StreamTests {
  @Test(arguments: [
    ("", []), (" \n\t", []), ("[]", []), (" [ ] \n", []), ("[1]", ["1"]), ("[1,2,3]\n", ["1", "2", "3"]),
    (" [ 1 , \"a\" , {\"b\":[ ]} ] ", ["1", "\"a\"", "{\"b\":[ ]}"]), ("{\"a\":1}", ["{\"a\":1}"]),
    ("{\"a\":1}\n{\"a\":2}\n", ["{\"a\":1}", "{\"a\":2}"]),
    ("{\"a\":1}\r\n\r\n{\"a\":2}", ["{\"a\":1}", "{\"a\":2}"]), ("{}{}{}", ["{}", "{}", "{}"]),
    ("1 2\n3", ["1", "2", "3"]), ("12", ["12"]), ("\"a\"", ["\"a\""]),
    ("null\ntrue\t\"x\" 1e5\n", ["null", "true", "\"x\"", "1e5"]), ("{} [1,2] 3", ["{}", "[1,2]", "3"]),
    ("[[1],[2]]", ["[1]", "[2]"]), ("[[]]", ["[]"]), ("[null , null]", ["null", "null"]),
  ]) func elementsAreReturned(_ text: String, _ expected: [String]) throws {
    for chunk in [1, 2, 3, 7, .max] { #expect(try elements(text, chunk: chunk) == expected) }
  }

  @Test(arguments: [
    ("[1,2", ["1", "2"], "line 1, column 5: expected ',' or ']', found the end"),
    ("[1,2,", ["1", "2"], "line 1, column 6, at [2]: expected a value, found the end"),
    ("[", [], "line 1, column 2, at [0]: expected a value, found the end"),
    ("[,]", [], "line 1, column 2, at [0]: expected a value, found ','"),
    ("[1}", ["1"], "line 1, column 3: expected ',' or ']', found '}'"),
    ("[1]\n[2]", ["1"], "line 2, column 1: expected the end, found '['"),
    ("[1],", ["1"], "line 1, column 4: expected the end, found ','"),
    ("[1]\n\u{0}", ["1"], "line 2, column 1: expected the end, found U+0000"),
    ("[{\"a\":1},\n {\"a\":x}]", ["{\"a\":1}"], "line 2, column 7, at [1].a: expected a value, found 'x'"),
    ("{\"a\":1}\n{\"é\":x}\n", ["{\"a\":1}"], "line 2, column 6, at é: expected a value, found 'x'"),
    ("{\"a\":1}\n{\"a\"", ["{\"a\":1}"], "line 2, column 5: expected ':', found the end"),
    ("{\"a\":1},\n{\"a\":2}", ["{\"a\":1}"], "line 1, column 8: expected a value, found ','"),
    ("1\"a\"", ["1"], "line 1, column 2: expected white space after a value, found '\"'"),
    ("truefalse", ["true"], "line 1, column 5: expected white space after a value, found 'f'"),
    ("\"a\"1", ["\"a\""], "line 1, column 4: expected white space after a value, found '1'"),
    ("1\n\n2 x", ["1", "2"], "line 3, column 3: expected a value, found 'x'"),
    (
      "\u{FEFF}[1]", [],
      "line 1, column 1: a byte order mark, which JSON does not allow: remove the first three bytes"
    ),
    (
      "\n\u{FEFF}[1]", [],
      "line 2, column 1: a byte order mark, which JSON does not allow: remove the first three bytes"
    ),
    ("1 \u{FEFF}2", ["1"], "line 1, column 3: expected a value, found '\u{FEFF}'"),
    ("é", [], "line 1, column 1: expected a value, found 'é'"),
    ("01", [], "line 1, column 1: a number begins with a needless 0"),
    ("]", [], "line 1, column 1: expected a value, found ']'"),
  ]) func elementsBeforeFailureAreReturned(_ text: String, _ expected: [String], _ message: String) {
    for chunk in [1, 2, 3, 7, .max] {
      var stream = JSONStream(MemorySource(text.utf8, chunk: chunk))
      var texts: [String] = []
      let failure = #expect(throws: Failure.self) {
        while let element = try stream.next() { texts.append(rawText(element)) }
      }
      #expect(texts == expected)
      #expect(failure?.message == message)
      // And so for ever after.
      let again = #expect(throws: Failure.self) { _ = try stream.next() }
      #expect(again == failure)
    }
  }

  @Test func invalidUTF8BetweenElementsIsRefused() {
    let texts: [([UInt8], String)] = [
      (Array("[1]".utf8) + [0xFF], "line 1, column 4: invalid UTF-8"),
      (Array("[1,".utf8) + [0xC3], "line 1, column 4, at [1]: invalid UTF-8"),
      (Array("1\n".utf8) + [0xE2, 0x82], "line 2, column 1: invalid UTF-8"),
      ([0xEF, 0xBB], "line 1, column 1: invalid UTF-8"),
      (Array("12".utf8) + [0x80], "line 1, column 3: invalid UTF-8"),
    ]
    for (text, message) in texts {
      for chunk in [1, .max] {
        let failure = #expect(throws: Failure.self) { try elements(text, chunk: chunk) }
        #expect(failure?.message == message)
      }
    }
  }

  @Test func keptElementsStayValid() throws {
    let text =
      "["
      + (0..<500).map { "{\"n\":\($0),\"text\":\"line \($0)\\n\",\n\"list\":[\($0),[]]}" }.joined(
        separator: ",") + "]"
    for bufferSize in [16, 64, 1024, 65536] {
      var stream = JSONStream(
        MemorySource(text.utf8, chunk: 100), bufferSize: bufferSize, largestElement: 4096)
      var kept: [JSON] = []
      while let element = try stream.next() { kept.append(element) }
      #expect(try kept.map { try $0["n"].int } == Array(0..<500))
      #expect(try kept.map { try $0["list"][0].int } == Array(0..<500))
      #expect(try kept[321]["text"].string == "line 321\n")
      let failure = #expect(throws: Failure.self) { try kept[321]["text"].int }
      let column = kept[321].withRawBytes { _ in 0 }
      #expect(column == 0)
      #expect(failure?.message.hasPrefix("line 322, column ") == true)
      #expect(failure?.message.hasSuffix(", at [321].text: expected an integer, found a string") == true)
      #expect(kept[321]["list"][1].path == "[321].list[1]")
    }
  }

  /// The views that are kept hold their own element, not the stream's buffer.
  @Test func keptElementHoldsItsBytesOnly() throws {
    var stream = JSONStream(MemorySource("[1,[2,3],4]".utf8))
    _ = try stream.next()
    let kept = try #require(try stream.next())
    _ = try stream.next()
    #expect(unsafe kept.document.body.pointee.capacity == 5)
  }

  /// The text is never in memory whole, and an element holds nothing of those before it.
  @Test(arguments: [("", "\n", ""), (#"{"type":"x","list":["#, ",", "]}")])
  func bufferIsReused(front: String, separator: String, back: String) throws {
    let text = front + (0..<5000).map { "{\"n\":\($0)}" }.joined(separator: separator) + back
    var stream = JSONStream(
      MemorySource(text.utf8, chunk: 50), elementsOf: "list", bufferSize: 128, largestElement: 64)
    var documents: Set<ObjectIdentifier> = []
    var sum = 0
    while let element = try stream.next() {
      documents.insert(ObjectIdentifier(element.document))
      sum += try element["n"].int
      #expect(unsafe element.document.body.pointee.capacity == 128)
      #expect(element.document.entryCount == 4)
    }
    #expect(documents.count == 1)
    #expect(sum == 4999 * 2500)
  }

  @Test func bufferGrowsUpToElementLimit() throws {
    let large = "\"" + String(repeating: "x", count: 5000) + "\""
    for chunk in [7, 512, .max] {
      var stream = JSONStream(
        MemorySource("[1,\n\(large),2]".utf8, chunk: chunk), bufferSize: 64, largestElement: 8000)
      #expect(try stream.next()?.int == 1)
      #expect(try stream.next()?.string.utf8.count == 5000)
      #expect(try stream.next()?.int == 2)
      #expect(try stream.next() == nil)

      var refusing = JSONStream(
        MemorySource("[1,\n\(large),2]".utf8, chunk: chunk), bufferSize: 64, largestElement: 4000)
      #expect(try refusing.next()?.int == 1)
      let failure = #expect(throws: Failure.self) { _ = try refusing.next() }
      #expect(failure?.message == "line 2, column 1, at [1]: an element larger than 4000 bytes")
    }
    // The bound is exact where the buffer is larger than it.
    for (bound, isValid) in [(5002, true), (5001, false)] {
      var stream = JSONStream(MemorySource("[\(large)]".utf8), bufferSize: 65536, largestElement: bound)
      #expect(((try? stream.next()) != nil) == isValid)
    }
  }

  @Test func linesAreCountedFromTheStart() throws {
    // Positions survive the moving and growing of the buffer, wherever it happens.
    let good = (0..<50).map { "{\"é\": \"ü\($0)\",\n \"b\": [\n\($0)]}" }.joined(separator: "\n,\n")
    let text = "[\n" + good + ",\n  {\"é\": \"ö\", \"c\": ?}]"
    for bufferSize in [16, 50, 333, 100_000] {
      for chunk in [1, 13, .max] {
        var stream = JSONStream(
          MemorySource(text.utf8, chunk: chunk), bufferSize: bufferSize, largestElement: 4096)
        let failure = #expect(throws: Failure.self) { while try stream.next() != nil {} }
        #expect(failure?.message == "line 201, column 19, at [50].c: expected a value, found '?'")
      }
    }
  }

  @Test func columnsAreCountedAcrossReads() throws {
    let text = "[" + String(repeating: "\"é\",", count: 1000) + "?]"
    for bufferSize in [16, 100_000] {
      var stream = JSONStream(
        MemorySource(text.utf8, chunk: 99), bufferSize: bufferSize, largestElement: 4096)
      let failure = #expect(throws: Failure.self) { while try stream.next() != nil {} }
      #expect(failure?.message == "line 1, column 4002, at [1000]: expected a value, found '?'")
    }
  }

  @Test func elementIsReturnedWithoutReadingAhead() throws {
    // What is read between two elements, as it was when each of them came.
    for text in ["[{\"a\":1},{\"a\":2}]", "{\"a\":1}\n{\"a\":2}\n"] {
      let source = CountedSource(inner: MemorySource(text.utf8, chunk: 1))
      var stream = JSONStream(source)
      _ = try stream.next()
      // No byte after the closing brace is asked for.
      #expect(source.reads.value == Array(text.utf8).firstIndex(of: UInt8(ascii: "}")).map { $0 + 1 })
    }
  }

  @Test func sourceFailureIsReported() throws {
    struct Broken: ByteSource {
      func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
        throw Failure(.storage, "broken")
      }
    }
    var stream = JSONStream(Broken())
    let failure = #expect(throws: Failure.self) { _ = try stream.next() }
    #expect(failure == Failure(.storage, "broken"))
    // No line of it can be passed over.
    #expect(try stream.skipLine() == nil)
    let again = #expect(throws: Failure.self) { _ = try stream.next() }
    #expect(again == failure)
  }

  private final class Counter { var value = 0 }

  private struct CountedSource: ByteSource {
    let inner: MemorySource
    let reads = Counter()

    func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
      reads.value += 1
      return inner.read(into: &buffer)
    }
  }
}

func rawText(_ json: JSON) -> String {
  var raw: [UInt8] = []
  json.appendRaw(to: &raw)
  return String(decoding: raw, as: UTF8.self)
}
