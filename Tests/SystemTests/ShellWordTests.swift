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

  @Test(arguments: [
    ("Bearer ", #""Bearer $KEY""#), ("a$b ", #"'a$b '"$KEY""#), ("it's! ", #"'it'\''s! '"$KEY""#),
  ])
  func leavesAVariableToTheShell(_ text: String, _ quoted: String) {
    var word = ShellWord(text)
    word.append(variable: "KEY")
    #expect(word.quoted == quoted)
  }
}
