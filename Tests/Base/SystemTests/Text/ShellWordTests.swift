import System
import Testing

@Suite struct ShellWordTests {
  @Test(arguments: [
    ("plain-._/:,@%+=9Z", "plain-._/:,@%+=9Z"), ("", "''"), ("a b", "'a b'"), ("a'b", #"'a'\''b'"#),
    ("$(touch x)", "'$(touch x)'"), ("`x`", "'`x`'"), ("a;b", "'a;b'"), ("a\nb", "'a\nb'"), ("~", "'~'"),
    ("https://x/;touch y", "'https://x/;touch y'"), ("é", "'é'"), ("*", "'*'"), ("#", "'#'"),
    ("a&b", "'a&b'"), ("=ls", "'=ls'"), ("a=b", "a=b"),
  ])
  func quotesALiteral(_ text: String, _ quoted: String) { #expect(ShellWord(text).quoted == quoted) }

  @Test(arguments: [
    ("7", "'hw bikes rent 7'"), ("7;x", "hw bikes rent '7;x'"), ("a'", #"hw bikes rent 'a'\'''"#),
  ])
  func quotesACommandOnce(_ id: String, _ quoted: String) {
    #expect(ShellWord.command("hw", "bikes", "rent", id) == quoted)
  }

  @Test func wordIsComposedOfTextAndVariables() {
    var word = ShellWord("a")
    word.append("b")
    #expect(word.quoted == "ab")
    word.append(" c")
    #expect(word.quoted == "'ab c'")
    word.append(variable: "KEY")
    word.append("-")
    word.append("d")
    #expect(word.quoted == "\"ab c${KEY:?}-d\"")
    word.append(variable: "END")
    word.append("!")
    #expect(word.quoted == #"'ab c'"${KEY:?}"'-d'"${END:?}"'!'"#)
    var variable = ShellWord("")
    variable.append(variable: "KEY")
    #expect(variable.quoted == "\"${KEY:?}\"")
    #expect(ShellWord.command("hw", "") == "hw ''")
  }

  @Test(arguments: ["\\", "\"", "$", "`", "!", "\n"])
  func specialCharactersStayInSingleQuotes(_ text: String) {
    var word = ShellWord(text)
    word.append(variable: "KEY")
    #expect(word.quoted == "'\(text)'\"${KEY:?}\"")
  }

  @Test(arguments: [
    ("Bearer ", #""Bearer ${KEY:?}""#), ("a$b ", #"'a$b '"${KEY:?}""#), ("it's! ", #"'it'\''s! '"${KEY:?}""#),
  ])
  func leavesAVariableToTheShell(_ text: String, _ quoted: String) {
    var word = ShellWord(text)
    word.append(variable: "KEY")
    #expect(word.quoted == quoted)
  }
}

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
