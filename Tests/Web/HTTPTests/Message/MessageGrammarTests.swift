import System
import Testing

@testable import HTTP

/// The grammar that the server's parser and the client's response reader share.
@Suite struct MessageGrammarTests {
  private func parse(_ text: String) throws(HeaderLine.Malformation) -> [String] {
    let bytes = Array(text.utf8)
    let line = try HeaderLine(bytes.span, 0..<bytes.count)
    return [
      String(decoding: bytes[line.name], as: UTF8.self), String(decoding: bytes[line.value], as: UTF8.self),
    ]
  }

  @Test(arguments: [
    ("Host: a", ["Host", "a"]), ("Host:a", ["Host", "a"]), ("Host: \t a b \t", ["Host", "a b"]),
    ("X:", ["X", ""]), ("X: \t", ["X", ""]), ("X: :", ["X", ":"]),
    ("!#$%&'*+-.^_`|~9aZ: é", ["!#$%&'*+-.^_`|~9aZ", "é"]), ("X: \u{80}", ["X", "\u{80}"]),
  ])
  func parsesAHeaderLine(_ text: String, _ parts: [String]) throws { #expect(try parse(text) == parts) }

  @Test(arguments: [
    ("", HeaderLine.Malformation.name), (":", .name), (": a", .name), ("a", .name), ("a b: c", .name),
    ("a : b", .name), ("é: b", .name), ("a\u{0}: b", .name), (" a: b", .folded), ("\ta: b", .folded),
    (" ", .folded), ("a: \u{0}", .value), ("a: \r", .value), ("a: b\nc", .value), ("a: \u{7F}", .value),
    ("a: \u{1B}[", .value),
  ])
  func rejectsAMalformedHeaderLine(_ text: String, _ malformation: HeaderLine.Malformation) {
    #expect(throws: malformation) { try parse(text) }
  }

  /// Written again from its parts, a line that parses has the same parts, and both are valid in a request.
  @Test func parsingIsIdempotent() throws {
    var random = SplitMix64(seed: 14)
    let alphabet = Array("aaaZ9-:::  \t\r;\u{0}é".utf8)
    var parsed = 0
    for _ in 0..<5000 {
      let count = Int(random.fraction() * 12)
      let bytes = (0..<count).map { _ in alphabet[Int(random.fraction() * Double(alphabet.count))] }
      guard let line = try? HeaderLine(bytes.span, 0..<bytes.count) else { continue }
      parsed += 1
      let (name, value) = (Array(bytes[line.name]), Array(bytes[line.value]))
      #expect(!name.isEmpty && name.allSatisfy(\.isToken) && value.allSatisfy(\.isFieldText))
      let written = name + Array(": ".utf8) + value
      let again = try HeaderLine(written.span, 0..<written.count)
      #expect(Array(written[again.name]) == name && Array(written[again.value]) == value)
    }
    #expect(parsed > 200)
  }

  @Test(
    arguments: [
      ("0", 0), ("007", 7), ("9223372036854775807", .max), ("9223372036854775808", .max),
      (String(repeating: "9", count: 100), .max), ("92233720368547758070", .max), ("", nil), ("-1", nil),
      ("+1", nil), (" 1", nil), ("1 ", nil), ("1,2", nil), ("0x1", nil), ("١", nil),
    ] as [(String, Int?)])
  func parsesDecimals(_ text: String, _ number: Int?) {
    let bytes = Array(text.utf8)
    #expect(bytes.span.decimal(0..<bytes.count) == number)
  }

  /// The range is that of a part.
  @Test(arguments: [
    ("Host", true, true), ("hOST", true, false), ("Hosx", false, false), ("xost", false, false),
    ("Hos", false, false), ("Host:", false, false),
  ])
  func comparesWithAWord(_ text: String, _ matches: Bool, _ equals: Bool) {
    let bytes = Array("-\(text)-".utf8)
    let range = 1..<bytes.count - 1
    #expect(bytes.span.matches("hosT", range) == matches)
    #expect(bytes.span.equals(Array("Host".utf8), range) == equals)
  }

  @Test func lowercasesLettersOnly() {
    for byte in UInt8.min...UInt8.max {
      let isUpper = (0x41...0x5A).contains(byte)
      #expect(Byte.lowercased(byte) == (isUpper ? byte + 32 : byte))
    }
  }
}
