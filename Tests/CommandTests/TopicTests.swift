import System
import Testing

@testable import Command

@Suite struct TheTopics {
  private func page(_ words: String) throws -> String {
    try Page.find(words.split(separator: " ").map(String.init), in: Sample.program).full()
  }

  @Test func theEnvironmentSaysHowAFlagIsSet() throws {
    let page = try page("environment").split(separator: " ").joined(separator: " ")
    #expect(page.contains("HW_COLOR "))
    #expect(page.contains("HW_ZOO_BELL 'off' is --no-bell of sample zoo: "))
    #expect(page.contains("HW_ZOO_FORCE 'on' is --force of sample zoo: "))
    #expect(page.contains("HW_ZOO_LIMIT --limit of sample zoo: "))
  }

  @Test func everyExitCodeIsThere() throws {
    let page = try page("exit-codes")
    for code in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70, 130, 141] { #expect(page.contains("\n  \(code) ")) }
  }

  @Test(
    "A page for every name, and the nearest for a wrong one",
    arguments: [
      ("", "sample: "), ("zoo", "sample zoo: "), ("zoo say", "sample zoo say: "),
      ("filter", "sample filter: "),
      ("output", "sample help output: "), ("outptu", "there is no help about 'outptu'"),
      ("zoo sya", "'sya' is not a command of 'sample zoo'"), ("filter x", "unexpected operand 'x'"),
    ])
  func found(words: String, begins: String) {
    do throws(Failure) {
      #expect(
        try Page.find(words.split(separator: " ").map(String.init), in: Sample.program).full().hasPrefix(
          begins)
      )
    } catch {
      #expect(error.message == begins)
    }
  }

  @Test(arguments: [
    ("a bb ccc", 4, ["a bb", "ccc"]), ("a bb ccc", 8, ["a bb ccc"]), ("", 5, []), ("longer", 3, ["longer"]),
    ("a longer b", 3, ["a", "longer", "b"]), ("日本 語", 5, ["日本", "語"]), ("  a \n b ", 9, ["a b"]),
  ])
  func wrapped(text: String, width: Int, lines: [String]) { #expect(PageText.wrapped(text, width) == lines) }

  @Test func theManualKeepsItsSourceFromBeingReadAsMacros() {
    var mdoc = Mdoc()
    mdoc.append([.paragraph(".Sh one\\two. 'three' it is. four"), .literal(["'quoted", ".dot"])])
    #expect(mdoc.text.contains("\\&.Sh one\\etwo.\n\\&'three' it is.\nfour\n"))
    #expect(mdoc.text.contains("\n\\&'quoted\n\\&.dot\n"))
  }

  @Test(arguments: [
    ("hw nodes top", "[OPTIONS]", ".Nm hw\n.Cm nodes top\n.Op Ar OPTIONS\n"),
    ("hw", "NODE... [A [B]]", ".Nm hw\n.Ar NODE ...\n.Op Ar A Op Ar B\n"),
    ("hw", "[A...] -- COMMAND", ".Nm hw\n.Op Ar A ...\n.Fl \\-\n.Ar COMMAND\n"),
    ("hw", "[FILE... | -]", ".Nm hw\n.Op Ar FILE ... No \\&| Cm \\-\n"),
    ("hw", "--keep N", ".Nm hw\n.Fl \\-keep\n.Ar N\n"),
  ])
  func synopsis(words: String, usage: String, lines: String) {
    var mdoc = Mdoc()
    mdoc.synopsis(words, usage)
    #expect(mdoc.text == lines)
  }
}
