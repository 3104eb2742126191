import Output
import Testing

@testable import Command

@Suite struct HelpPageTests {
  @Test func theProgramNamesAliasesAndPlugIns() {
    let page = Page.program(Sample.program, aliases: [(name: "lakers", text: "zoo list")], plugIns: ["greet"])
      .full()
    #expect(
      page.contains(
        "\n\nAliases\n  lakers  'sample zoo list'\n\nPlug-ins\n  greet  sample-greet on PATH\n\n"))
    let plain = Page.program(Sample.program, plugIns: []).full()
    #expect(!plain.contains("\nAliases\n") && !plain.contains("\nPlug-ins\n"))
  }

  @Test func manualEscapesMacroCharacters() {
    var mdoc = Mdoc()
    mdoc.append([.paragraph(".Sh one\\two. 'three' it is. four"), .literal(["'quoted", ".dot"])])
    #expect(mdoc.text.contains("\\&.Sh one\\etwo.\n\\&'three' it is.\nfour\n"))
    #expect(mdoc.text.contains("\n\\&'quoted\n\\&.dot\n"))
  }

  // MARK: Pages

  private func page(options: Int, examples: [String], inherited: [String] = []) -> Page {
    var page = Page(name: "x", summary: "a summary", usage: ["", "FILE"], sections: [])
    page.sections = [
      Section("Examples", isInShortHelp: true, [.literal(examples.flatMap { ["# \($0)", "x \($0)"] })]),
      Section("Options", isInShortHelp: true, [.items((0..<options).map { Item("o\($0)", "an option") })]),
      Section("Output", [.paragraph("Much.")]),
    ]
    page.inherited = inherited
    return page
  }

  /// Two lines each, after an empty line and a heading, and before an empty line and the last.
  @Test(arguments: [(8, 3), (9, 2), (10, 2), (11, 1), (12, 1), (13, 0), (20, 0)] as [(Int, Int)])
  func shortHelpFitsIn24Lines(options: Int, count: Int) {
    let lines = page(options: options, examples: ["a", "b", "c"]).short().split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count { $0.hasPrefix("  # ") } == count)
    #expect(lines.contains("Examples") == (count > 0) && !lines.contains("Output"))
    // The last element is what follows the last line feed.
    if count > 0 { #expect(lines.count - 1 <= 24) }
  }

  @Test func anExampleThatIsTooWideIsLeftOut() {
    let (fits, wide) = (String(repeating: "a", count: 76), String(repeating: "b", count: 77))
    let text = page(options: 1, examples: [wide, fits]).short()
    #expect(text.contains("  x \(fits)\n") && !text.contains(wide))
  }

  @Test(arguments: [(nil, 78), (200, 78), (80, 78), (79, 77), (20, 18), (1, 18)] as [(Int?, Int)])
  func width(screen: Int?, columns: Int) {
    let form = PageText(details: true, Screen(width: screen, color: false))
    let words = [String(repeating: "a", count: columns - 2), "b"]
    #expect(form.wrapped(words.joined(separator: " ")).count == 1)
    #expect(form.wrapped(words.joined(separator: " a")).count == 2)
  }
}
