import Testing
import TestSupport

@testable import Terminal

@Suite struct DisplayWidthTests {
  @Test func widthsAreAsRecorded() throws {
    try RecordedText.holdTexts("widths.txt") { ["= \(DisplayWidth.of($0))"] }
  }

  @Test(
    arguments: [
      ("hello", 5, "hello"), ("hello", 6, "hello"), ("hello", 4, "hel…"), ("hello", 1, "…"), ("hello", 0, ""),
      ("", 0, ""), ("", 3, ""), ("a", 1, "a"), ("ab", 1, "…"),
      // Half of a wide character is not shown: the line may end a column early, never late.
      ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 3, "日…"), ("日本語", 2, "…"),
      ("日本語", 1, "…"), ("a日", 2, "a…"), ("👨\u{200D}👩\u{200D}👧x", 3, "👨\u{200D}👩\u{200D}👧x"),
      ("👨\u{200D}👩\u{200D}👧xy", 3, "👨\u{200D}👩\u{200D}👧…"), ("🇩🇪🇫🇷", 3, "🇩🇪…"),
      ("e\u{301}tude", 3, "e\u{301}t…"),
      ("hello", -1, ""),
    ])
  func textIsTruncatedToWidth(text: String, width: Int, cut: String) {
    #expect(text.truncated(to: width) == cut)
    #expect(DisplayWidth.of(text.truncated(to: width)) <= max(0, width))
  }

  /// The first and the last of every range, and what is beside them.
  @Test(
    arguments: [
      (0x1100, 0x115F), (0x2329, 0x232A), (0x2E80, 0x303E), (0x3041, 0x3247), (0x3250, 0x4DBF),
      (0x4E00, 0xA4C6), (0xA960, 0xA97C), (0xAC00, 0xD7A3), (0xF900, 0xFAD9), (0xFE10, 0xFE19),
      (0xFE30, 0xFE6B), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x18D08), (0x1AFF0, 0x1B2FB),
      (0x1F200, 0x1F265), (0x20000, 0x2FFFD), (0x30000, 0x3FFFD),
    ] as [(UInt32, UInt32)])
  func wideRangesAreFound(first: UInt32, last: UInt32) {
    for value in [first, last] { #expect(WideScalars.contains(value), "\(String(value, radix: 16))") }
    for value in [first - 1, last + 1] {
      #expect(!WideScalars.contains(value), "\(String(value, radix: 16))")
    }
  }

  /// Hangul vowels and finals; beside them are initials, syllables and another script.
  @Test(
    arguments: [
      (0x115F, 2), (0x1160, 0), (0x11A7, 0), (0x11FF, 0), (0x1200, 1), (0xD7A3, 2), (0xD7B0, 0), (0xD7FF, 0),
      (0xE000, 1), (0x1F1E5, 1), (0x1F1E6, 1), (0x1F1FF, 1), (0x1F200, 2), (0x1F, 0), (0x7E, 1), (0x7F, 0),
    ] as [(UInt32, Int)])
  func widthOfScalar(value: UInt32, width: Int) throws {
    #expect(DisplayWidth.of(Character(try #require(Unicode.Scalar(value)))) == width)
  }

  /// These are not in the table: the standard library knows them.
  @Test(
    arguments: [0x231A, 0x25FD, 0x2B50, 0x1F004, 0x1F320, 0x1F6FC, 0x1F7F0, 0x1F9FF, 0x1FA70] as [UInt32])
  func emojiIsWide(value: UInt32) throws {
    #expect(!WideScalars.contains(value))
    #expect(DisplayWidth.of(Character(try #require(Unicode.Scalar(value)))) == 2)
  }
}

@Suite struct WordWrapTests {
  @Test(arguments: [
    ("", 5, [""]), ("a b", 5, ["a b"]), ("a b", 3, ["a b"]), ("a b", 2, ["a", "b"]), ("a  b", 5, ["a  b"]),
    ("abcd", 4, ["abcd"]), ("abcdef", 4, ["abcd", "ef"]), ("a bcdefg h", 3, ["a", "bcd", "efg", "h"]),
    ("ab", 0, ["a", "b"]), ("ab", 1, ["a", "b"]),
    // Columns count, not characters.
    ("日本語日本語", 4, ["日本", "語日", "本語"]), ("日本", 3, ["日", "本"]), ("日a本", 3, ["日a", "本"]),
    ("日 本", 4, ["日", "本"]), ("日 本", 5, ["日 本"]),
    // What is wider than the line has one of its own.
    ("日本", 1, ["日", "本"]),
  ])
  func textIsWrappedAtWords(text: String, width: Int, lines: [String]) {
    #expect(WordWrap.lines(text, width: width) == lines)
  }
}
