import System
import TestSupport
import Testing

@testable import JSON

/// Elements come one after another, as soon as they are there, from a buffer that does not grow with the text.
@Suite struct StreamTests {
  /// A line of `##` begins with the kind of the stream. A text is followed by its elements and its failure, which do not
  /// depend on pieces and buffers.
  @Test func streamsAreAsRecorded() throws {
    var kind = ""
    try RecordedText.holdTexts("streams.txt", begin: { kind = String($0.prefix { $0 != ":" }) }) { text in
      let whole = read(Array(text.utf8), kind)
      for chunk in [1, 2, 3, 5, 7, .max] {
        for bufferSize in [16, 65_536] {
          let pieces = read(Array(text.utf8), kind, chunk: chunk, bufferSize: bufferSize)
          #expect(pieces == whole, "\(text) in pieces of \(chunk)")
        }
      }
      return whole.map { $0.replacing("\u{FEFF}", with: "{U+FEFF}") }
    }
  }

  /// A bad line is passed over where the kind says so.
  private func read(
    _ text: [UInt8], _ kind: String, chunk: Int = .max, bufferSize: Int = 65_536
  ) -> [String] {
    var stream = JSONStream(
      MemorySource(text, chunk: chunk), elementsOf: kind.contains("list") ? "list" : nil,
      concatenated: kind.contains("concatenated"), bufferSize: bufferSize, largestElement: 4096)
    var elements: [String] = []
    var found: Failure?
    while found == nil {
      do throws(Failure) {
        guard let element = try stream.next() else { break }
        elements.append(rawText(element))
      } catch {
        let line = kind.contains("skipping") ? try? stream.skipLine() : nil
        if let line { elements.append("bad \(line)") } else { found = error }
      }
    }
    // And so for ever after.
    if let found { #expect(throws: found) { _ = try stream.next() } }
    let shown = elements.isEmpty ? "nothing" : elements.joined(separator: " | ")
    return ["= \(stream.isInMember ? "in the list: " : "")\(shown)"]
      + (found.map { ["! \($0.message)"] } ?? [])
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

  /// Positions survive the moving and growing of the buffer, wherever it happens.
  @Test func linesAndColumnsAreCountedFromTheStart() {
    let good = (0..<50).map { "{\"é\": \"ü\($0)\",\n \"b\": [\n\($0)]}" }.joined(separator: "\n,\n")
    for (text, message) in [
      ("[\n\(good),\n  {\"é\": \"ö\", \"c\": ?}]", "line 201, column 19, at [50].c"),
      ("[\(String(repeating: "\"é\",", count: 1000))?]", "line 1, column 4002, at [1000]"),
    ] {
      for (bufferSize, chunk) in [16, 50, 333, 100_000].flatMap({ size in
        [1, 13, 99, .max].map { (size, $0) }
      }) {
        var stream = JSONStream(
          MemorySource(text.utf8, chunk: chunk), bufferSize: bufferSize, largestElement: 4096)
        let failure = #expect(throws: Failure.self) { while try stream.next() != nil {} }
        #expect(failure?.message == "\(message): expected a value, found '?'")
      }
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

  @Test func keptElementOfMemberKnowsItsPath() throws {
    var stream = JSONStream(MemorySource(#"{"list":[1,{"a":[5]},3]}"#.utf8), elementsOf: "list")
    _ = try stream.next()
    let kept = try #require(try stream.next())
    while try stream.next() != nil {}
    #expect(kept["a"][0].path == "list[1].a[0]")
  }

  // MARK: Bad lines

  @Test func lineWithInvalidUTF8IsSkipped() {
    for (text, expected) in [
      (Array("1\n\"".utf8) + [0xFF] + Array("\"\n2\n".utf8), "= 1 | bad 2 | 2"),
      (Array("\"ü".utf8) + [0xC3, 0x0A] + Array("\"ü\"\n".utf8), "= bad 1 | \"ü\""),
      ([0xFF, 0xFE, 0x80], "= bad 1"),
    ] {
      for (chunk, bufferSize) in [(1, 16), (2, 16), (3, 16), (7, 16), (.max, 16), (3, 65_536)] {
        #expect(read(text, "skipping", chunk: chunk, bufferSize: bufferSize) == [expected])
      }
    }
  }

  @Test func tooLongLineIsSkipped() {
    let text = "1\n\"\(String(repeating: "x", count: 5000))\"\n2\n"
    #expect(read(Array(text.utf8), "skipping", chunk: 100, bufferSize: 64) == ["= 1 | bad 2 | 2"])
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
