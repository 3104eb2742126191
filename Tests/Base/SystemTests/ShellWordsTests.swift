import System
import Testing

@Suite struct ShellWordSplittingTests {
  @Test(arguments: [
    ("nba games LAL", ["nba", "games", "LAL"]), ("  a\tb \n", ["a", "b"]), ("", []), ("''", [""]),
    (#"'a b' "c d" e\ f"#, ["a b", "c d", "e f"]), (#"a'b'"c"d"#, ["abcd"]),
    (#"'\n' "\n" \n"#, ["\\n", "\\n", "n"]), (#""\"\\\$\`\x""#, [#""\$`\x"#]), (#"'"' "'""#, ["\"", "'"]),
    ("$HOME ~ * # | ; &", ["$HOME", "~", "*", "#", "|", ";", "&"]), ("é'ü ß'", ["éü ß"]),
  ])
  func words(line: String, words: [String]) { #expect(ShellWord.split(line) == words) }

  @Test(arguments: ["'a", "\"a", "a\\", "\"a\\\"", "'a\\'b'"])
  func unfinished(line: String) { #expect(ShellWord.split(line) == nil) }

  @Test(arguments: ["a b", "it's", "", "$x `y` \"z\" \\", "é\n=~"])
  func inverseOfQuoting(word: String) { #expect(ShellWord.split(ShellWord(word).quoted) == [word]) }
}
