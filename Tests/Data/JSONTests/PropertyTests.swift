import System
import TestSupport
import Testing

@testable import JSON

/// Laws that hold for every text, tried on random ones from fixed seeds.
@Suite struct PropertyTests {
  /// What is read and written again is the same text, in both layouts and from a stream in any pieces.
  @Test(arguments: 0..<25) func writtenTextEqualsReadText(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for layout in [JSONWriter.Layout.compact, .indented] {
      var writer = JSONWriter(layout)
      Sample.write(depth: 4, &writer, &random)
      let text = writer.bytes
      let json = try JSON.parse(text)
      var again = JSONWriter(layout)
      again.value(json)
      #expect(again.bytes == text)
      var compact = JSONWriter()
      compact.value(json)
      var indented = JSONWriter(.indented)
      indented.value(try JSON.parse(compact.bytes))
      var expected = JSONWriter(.indented)
      expected.value(json)
      #expect(indented.bytes == expected.bytes)
    }
  }

  @Test(arguments: 0..<15) func streamEqualsParse(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1000)
    var writer = JSONWriter(seed % 2 == 0 ? .compact : .indented)
    writer.array { writer in
      for _ in 0..<Int.random(in: 0...8, using: &random) { Sample.write(depth: 3, &writer, &random) }
    }
    let expected = try JSON.parse(writer.bytes).array.map(rawText)
    for chunk in [1, 2, 3, 7, 64, .max] {
      for bufferSize in [16, 256, 65536] {
        var stream = JSONStream(
          MemorySource(writer.bytes, chunk: chunk), bufferSize: bufferSize, largestElement: 1 << 20)
        var texts: [String] = []
        while let element = try stream.next() { texts.append(rawText(element)) }
        #expect(texts == expected)
      }
    }
  }

  /// Damaged text is read or refused, by parse and by the stream alike, and never traps. The failures agree.
  @Test(arguments: 0..<50) func damagedTextDoesNotTrap(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 5000)
    var writer = JSONWriter()
    writer.array { writer in
      for _ in 0..<4 { Sample.write(depth: 3, &writer, &random) }
    }
    for _ in 0..<10 {
      var text = writer.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) { Sample.damage(&text, &random) }
      guard text.first == UInt8(ascii: "[") else { continue }
      let whole = Result { try JSON.parse(text).array.map(rawText) }
      for chunk in [1, 7, .max] {
        let pieces = Result { try elements(text, chunk: chunk, bufferSize: chunk == 7 ? 16 : 4096) }
        switch (whole, pieces) {
        case (.success(let a), .success(let b)): #expect(a == b)
        case (.failure(let a as Failure), .failure(let b as Failure)):
          #expect(a == b, "\(String(decoding: text, as: UTF8.self))")
        default: Issue.record("parse and stream disagree on \(text)")
        }
      }
      if let json = try? JSON.parse(text) { Sample.readEverything(json) }
    }
  }

  @Test(arguments: 0..<50) func firstInvalidByteIsFound(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed &+ 9000)
    for _ in 0..<50 {
      var text = Array(String(String.UnicodeScalarView((0..<80).map { _ in Sample.scalar(&random) })).utf8)
      if Bool.random(using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let margin = [UInt8](repeating: 0, count: 32)
      let expected = Sample.validPrefix(text)
      let found = unsafe (margin + text + margin).withUnsafeBufferPointer { bytes in
        unsafe bytes.baseAddress.map { unsafe UTF8Check.firstInvalid(in: $0 + 32, 0..<text.count) }
      }
      #expect(found == expected)
    }
  }

  @Test(arguments: 0..<20) func doublesAreReadBack(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 77)
    for _ in 0..<200 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      var writer = JSONWriter()
      writer.double(value)
      #expect(try JSON.parse(writer.bytes).double == value)
    }
  }
}

/// Random texts.
enum Sample {
  static func write(depth: Int, _ writer: inout JSONWriter, _ random: inout SeededGenerator) {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
    case 0: writer.null()
    case 1: writer.bool(.random(using: &random))
    case 2:
      writer.integer(
        Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<64, using: &random))
    case 3: writer.double(Double.random(in: -1e6...1e6, using: &random))
    case 4, 5: writer.string(string(&random))
    case 6, 7:
      writer.array { writer in
        for _ in 0..<Int.random(in: 0...5, using: &random) { write(depth: depth - 1, &writer, &random) }
      }
    default:
      writer.object { writer in
        for _ in 0..<Int.random(in: 0...5, using: &random) {
          writer.key(string(&random))
          write(depth: depth - 1, &writer, &random)
        }
      }
    }
  }

  static func string(_ random: inout SeededGenerator) -> String {
    String(
      String.UnicodeScalarView((0..<Int.random(in: 0...40, using: &random)).map { _ in scalar(&random) }))
  }

  static func scalar(_ random: inout SeededGenerator) -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x20...0x7E, 0...0x1F, 0x80...0x7FF, 0x410...0x44F, 0x800...0xFFFF, 0x3040...0x30FF,
      0x10000...0x10FFFF, 0x22...0x22, 0x5C...0x5C,
    ]
    let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
    return Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "\u{FFFD}"
  }

  static func damage(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    let telling = Array("[]{}:,\"\\ \n0-.eEu/tfn\u{0}\u{1F}é".utf8) + [0x80, 0xC0, 0xE2, 0xED, 0xF0, 0xFF]
    let byte = telling[Int.random(in: 0..<telling.count, using: &random)]
    let offset = Int.random(in: 0..<text.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: text[offset] = byte
    case 1: text.insert(byte, at: offset)
    case 2 where text.count > 1: text.remove(at: offset)
    case 3 where offset > 0: text.removeLast(text.count - offset)
    default: text[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
  }

  /// Calls every reader on every value; whatever they throw, they do not trap.
  static func readEverything(_ json: JSON) {
    _ = try? json.string
    _ = try? json.int
    _ = try? json.double
    _ = try? json.number
    _ = try? json.bool
    _ = try? json.unwrapped
    _ = json.path
    _ = json[JSON.Path("a.0[1]")].path
    if let array = try? json.array { for element in array { readEverything(element) } }
    if let members = try? json.members {
      for (key, value) in members {
        // A name may stand twice; the one that is found is one of them.
        #expect(json[key].kind != .absent)
        readEverything(value)
      }
    }
  }

  static func validPrefix(_ text: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = text.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid += UTF8.width(scalar) }
    return valid
  }
}
