import System
import Testing

@Suite struct NeutralText {
  @Test(
    "What moves the cursor, turns a line or hides becomes �",
    arguments: [
      // Control characters: C0, DEL, C1.
      ("a\u{1B}[31mb", "a�[31mb"), ("\u{0}", "�"), ("a\u{7}\u{8}b", "a��b"), ("a\nb", "a�b"), ("a\tb", "a�b"),
      ("a\r\nb", "a��b"), ("\u{7F}", "�"), ("\u{9B}31m", "�31m"), ("\u{85}", "�"),
      // Line and paragraph separators.
      ("a\u{2028}b\u{2029}", "a�b�"),
      // Direction: marks, embeddings, overrides, isolates.
      ("\u{200E}\u{200F}\u{61C}", "���"), ("abc\u{202E}fed", "abc�fed"),
      ("\u{202A}\u{202B}\u{202C}\u{202D}", "����"),
      ("\u{2066}\u{2067}\u{2068}\u{2069}", "����"),
      // Nothing to see.
      ("a\u{200B}b", "a�b"), ("a\u{200D}b", "a�b"), ("a\u{200C}b", "a�b"), ("\u{FEFF}a", "�a"),
      ("a\u{2060}b", "a�b"),
      ("\u{115F}\u{1160}", "��"), ("\u{3164}", "�"), ("\u{FFA0}", "�"), ("\u{34F}", "�"), ("\u{180E}", "�"),
      ("a\u{E0041}", "a�"),
    ])
  func taken(text: String, kept: String) {
    #expect(Array(text.terminalSafe.unicodeScalars) == Array(kept.unicodeScalars))
  }

  @Test(
    "What people write stays as it is",
    arguments: [
      "", "plain", "é", "e\u{301}", "日本語", "שלום", "مرحبا", "한\u{AD}글", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "👍🏽",
      "🇩🇪",
      "☀\u{FE0F}", "1\u{FE0F}\u{20E3}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "ไทย",
      "\u{A0}",
      "\u{FFFD}", "क्ष",
    ])
  func kept(text: String) {
    #expect(Array(text.terminalSafe.unicodeScalars) == Array(text.unicodeScalars))
  }

  /// An escape sequence must not ride on an emoji.
  @Test func controlsStayOutOfEmojiToo() {
    #expect(
      !"☀\u{202E}\u{FE0F}\u{1B}".terminalSafe.unicodeScalars.contains {
        $0.value == 0x1B || $0.value == 0x202E
      })
  }

  @Test func neutralTextIsNeutral() {
    for value in (0...0x1_0FFF as ClosedRange<UInt32>) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(Character(scalar)).terminalSafe
      #expect(once.terminalSafe == once)
      #expect(once.unicodeScalars.count == 1)
    }
  }
}
