import System
import Testing

@Suite struct TextTests {
  @Test(arguments: [nil, UInt8(ascii: "\"")] as [UInt8?])
  func shortPiecesAreAppended(quote: UInt8?) {
    var bytes: [UInt8] = []
    var wanted: [UInt8] = []
    let around = quote.map { [$0] } ?? []
    for count in [0, 1, 7, 64, 3, 0, 1000] {
      let piece = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(few: $0, quote: quote) }
      wanted += around + piece + around
      #expect(bytes == wanted)
    }
    // Bytes that somebody else holds too stay as they were.
    let before = bytes
    unsafe [1, 2].withUnsafeBufferPointer { unsafe bytes.append(few: $0) }
    #expect(before == wanted && bytes == wanted + [1, 2])
  }

  @Test(arguments: [("", ""), (" \t\n", ""), (" a b\n", "a b"), ("a", "a")] as [(String, String)])
  func blanksAreTrimmed(_ text: String, _ result: String) {
    #expect(text.trimmed == result)
  }

  @Test(
    arguments: [
      ("a, b,c", ", ", ["a", "b,c"]), ("--a----b-", "--", ["a", "b-"]), ("aaa", "aa", ["a"]),
      ("abab", "ab", []), ("", "x", []), ("a", "abc", ["a"]), ("ab", "", ["ab"]),
      ("xéyéz", "é", ["x", "y", "z"]),
    ] as [(String, String, [String])])
  func textIsSplitAtSeparator(_ text: String, _ separator: String, _ parts: [String]) {
    #expect(text.split(by: separator) == parts)
  }

  @Test func bytesAreClassified() {
    let all = (0...255).map { UInt8($0) }
    #expect(all.filter(\.isASCIIDigit) == Array("0123456789".utf8))
    #expect(all.filter(\.isLowercaseHexDigit) == Array("0123456789abcdef".utf8))
    #expect(all.filter { $0.hexDigitValue != nil } == Array("0123456789ABCDEFabcdef".utf8))
    #expect("09afAF".utf8.map(\.hexDigitValue) == [0, 9, 10, 15, 10, 15])
    #expect((0..<16).map { UInt8(hexDigitOf: $0) } == Array("0123456789abcdef".utf8))
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(all.filter(\.isASCIIAlphanumeric) == Array("0123456789\(letters)\(letters.lowercased())".utf8))
  }
}
