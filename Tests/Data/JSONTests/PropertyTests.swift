import System
import TestSupport
import Testing

@testable import JSON

/// Laws that hold for every text, tried on random ones from fixed seeds.
@Suite struct PropertyTests {
  /// What is read and written again is the same text, in both layouts.
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

  static func validPrefix(_ text: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = text.makeIterator()
    var valid = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) { valid += UTF8.width(scalar) }
    return valid
  }
}
