import System
import TestSupport
import Testing

@testable import JSON

/// A token that comes in many pieces is read as one that comes whole, and each byte a fixed number of times.
@Suite struct LongTokenTests {
  private static let texts =
    Grammar.accepted + Grammar.refused + [
      "[\"0123456789012345678901234567890123456789\"]", "[" + String(repeating: " ", count: 200) + "1]",
      "[\"" + String(repeating: #"a\"b"#, count: 40) + "\"]",
      "{\"" + String(repeating: "n", count: 100) + "\"" + String(repeating: "\n", count: 100) + ":1}",
    ]

  private static func outcome(_ bytes: [UInt8], chunk: Int) -> String {
    var stream = JSONStream(
      MemorySource(bytes, chunk: chunk), elementsOf: "a", bufferSize: 16, largestElement: 4096)
    var seen = ""
    do {
      while let element = try stream.next() { seen += rawText(element) + "\n" }
    } catch {
      seen += error.message
    }
    return seen
  }

  @Test(arguments: texts) func resultDoesNotDependOnPieces(_ text: String) {
    for text in [text, "{\"x\":0,\"a\":[\(text),1]}"] {
      let bytes = Array(text.utf8)
      let whole = LongTokenTests.outcome(bytes, chunk: .max)
      for chunk in 1...min(bytes.count + 1, 40) {
        #expect(LongTokenTests.outcome(bytes, chunk: chunk) == whole, "\(chunk)")
      }
    }
  }

  private static let long: [(String, @Sendable (Int) -> String)] = [
    ("escaped string", { "[\"" + String(repeating: #"\"a"#, count: $0 / 3) + "\"]" }),
    ("surrogate pairs", { "[\"" + String(repeating: #"\ud83d\ude00"#, count: $0 / 12) + "\"]" }),
    ("other escapes of four digits", { "[\"" + String(repeating: #"\u00e9"#, count: $0 / 6) + "\"]" }),
    ("white space", { "[{\"a\":" + String(repeating: " ", count: $0) + "1}]" }),
    ("white space behind a name", { "[{\"a\"" + String(repeating: " ", count: $0) + ":1}]" }),
    ("white space in an array", { "[[1" + String(repeating: "\n", count: $0) + "]]" }),
    ("digits", { "[" + String(repeating: "1", count: $0) + "]" }),
    ("digits of a fraction", { "[0." + String(repeating: "1", count: $0) + "]" }),
    ("name", { "[{\"" + String(repeating: #"\\"#, count: $0 / 2) + "\":1}]" }),
    ("members before the array", { "{" + String(repeating: "\"b\":0,", count: $0 / 6) + "\"a\":[]}" }),
  ]

  /// With pieces of 64 bytes, a token read anew for each would make 250 times as many.
  @Test(arguments: long.indices)
  func eachByteIsVisitedAFewTimes(_ number: Int) throws {
    let text = LongTokenTests.long[number].1(1 << 14)
    var stream = JSONStream(
      MemorySource(text.utf8, chunk: 64), elementsOf: "a", bufferSize: 64, largestElement: 1 << 20)
    while try stream.next() != nil {}
    #expect(stream.bytesVisited <= 6 * text.utf8.count, "\(LongTokenTests.long[number].0)")
    #expect(stream.bytesVisited >= text.utf8.count / 2)
  }
}

/// An index takes no more memory than the size of its text allows.
@Suite struct IndexLimitTests {
  @Test func indexSizeIsLimited() throws {
    // Below 16 MB of index it is no matter.
    #expect(IndexEntry.limit(forBytes: 100) == 2 << 20)
    #expect(IndexEntry.limit(forBytes: 64 << 20) == 64 << 20 / 5)
    var text = [UInt8](repeating: UInt8(ascii: ","), count: 2 * (2 << 20) + 1)
    for place in stride(from: 1, to: text.count, by: 2) { text[place] = UInt8(ascii: "0") }
    (text[0], text[text.count - 1]) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    let failure = #expect(throws: Failure.self) { try JSON.parse(text) }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.hasSuffix("too many values for the size of the text") == true)
  }

  /// The room for the brackets of what is open is part of the limit.
  @Test func nestingStaysWithinIndexLimit() throws {
    for limit in 16...60 {
      for depth in 1...40 {
        let document = Document(capacity: 256, entries: 16, entryLimit: limit)
        let text = Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        for (offset, byte) in text.enumerated() { unsafe document.body.pointee.memory[offset] = byte }
        unsafe document.body.pointee.memory[text.count] = 0
        var indexer = Indexer()
        let outcome = indexer.run(document, limit: text.count, ended: true)
        #expect(unsafe document.body.pointee.entryCount <= limit)
        if case .complete = outcome { #expect(2 * depth <= limit) }
        // A value asks for three entries besides those of the brackets, and no more.
        let isComplete = if case .complete = outcome { true } else { false }
        if 2 * depth + 3 <= limit { #expect(isComplete) }
      }
    }
  }
}
