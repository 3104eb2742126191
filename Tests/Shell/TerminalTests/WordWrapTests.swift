import Testing

@testable import Terminal

@Suite struct WordWrapTests {
  @Test(
    arguments: [
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
