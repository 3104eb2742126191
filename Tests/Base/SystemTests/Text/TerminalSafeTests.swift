import System
import Testing

@Suite struct TerminalSafeTests {
  @Test(arguments: [
    ("a\u{1B}[31mb", "a�[31mb"), ("a\u{7}\u{8}b", "a��b"), ("a\nb", "a�b"), ("a\r\nb", "a��b"),
    ("\u{9B}31m", "�31m"), ("abc\u{202E}fed", "abc�fed"), ("a\u{200D}b", "a�b"), ("\u{FEFF}a", "�a"),
    ("\u{115F}\u{1160}", "��"), ("1\u{200D}", "1�"), ("a\u{E0041}", "a�"),
    // An escape sequence must not ride on an emoji.
    ("☀\u{202E}\u{FE0F}\u{1B}", "☀�\u{FE0F}�"),
  ])
  func unsafeCharactersAreReplaced(text: String, kept: String) {
    #expect(Array(text.terminalSafe.unicodeScalars) == Array(kept.unicodeScalars))
  }

  @Test(arguments: [
    "", "plain", "é", "e\u{301}", "日本語", "שלום", "مرحبا", "한\u{AD}글", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "👍🏽",
    "🇩🇪", "☀\u{FE0F}", "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "ไทย", "\u{A0}", "\u{FFFD}", "क्ष",
  ])
  func textInAnyScriptIsKept(text: String) {
    #expect(Array(text.terminalSafe.unicodeScalars) == Array(text.unicodeScalars))
  }

  /// The first and the last of every range, and what is beside them.
  @Test(
    arguments: [
      (0x00...0x1F, 0x20), (0x7F...0x9F, 0xA0), (0x34F...0x34F, 0x350), (0x61C...0x61C, 0x61D),
      (0x115F...0x1160, 0x1161), (0x180E...0x180E, 0x180F), (0x200B...0x200F, 0x2010),
      (0x2028...0x202E, 0x202F), (0x2060...0x2064, 0x2065), (0x2066...0x206F, 0x2070),
      (0x3164...0x3164, 0x3165), (0xFEFF...0xFEFF, 0xFF00), (0xFFA0...0xFFA0, 0xFFA1),
      (0xE0000...0xE0FFF, 0xE1000),
    ] as [(ClosedRange<UInt32>, UInt32)])
  func rangesThatAreTaken(range: ClosedRange<UInt32>, next: UInt32) throws {
    func isTaken(_ value: UInt32) throws -> Bool {
      String(Character(try #require(Unicode.Scalar(value)))).terminalSafe == "\u{FFFD}"
    }
    #expect(try isTaken(range.lowerBound) && isTaken(range.upperBound))
    #expect(try !isTaken(next))
    if range.lowerBound > 0 { #expect(try !isTaken(range.lowerBound - 1)) }
  }

  @Test func replacementIsIdempotent() {
    for value in (0...0x1_0FFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(Character(scalar)).terminalSafe
      #expect(once.terminalSafe == once)
      #expect(once.unicodeScalars.count == 1)
    }
  }
}
