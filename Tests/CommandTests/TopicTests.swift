import Output
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
    #expect(page.contains("never used for loopback addresses"))
  }

  @Test func theProgramNamesAliasesAndPlugIns() {
    let page = Page.program(
      Sample.program, aliases: [(name: "lakers", text: "zoo list")], plugIns: ["greet"]
    ).full()
    #expect(
      page.contains(
        "\n\nAliases\n  lakers  'sample zoo list'\n\nPlug-ins\n  greet  sample-greet on PATH\n\n"))
    let plain = Page.program(Sample.program, plugIns: []).full()
    #expect(!plain.contains("\nAliases\n") && !plain.contains("\nPlug-ins\n"))
  }

  @Test func theSectionsOfATopic() {
    let blocks = [Block.paragraph("a"), .subsection(title: "T", [.paragraph("b")]), .paragraph("c")]
    func sections(_ blocks: [Block]) -> [String] {
      Topic(name: "x", title: "X", summary: "x", blocks: blocks).sections.map {
        "\($0.title) \($0.blocks.count)"
      }
    }
    #expect(sections(blocks) == ["Description 1", "T 2"])
    #expect(sections(Array(blocks.dropFirst())) == ["T 2"])
  }

  @Test func everyExitCodeIsThere() throws {
    let page = try page("exit-codes")
    for code in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70, 130, 141] { #expect(page.contains("\n  \(code) ")) }
    // SIGTERM is 143, and SIGHUP 129.
    #expect(page.contains("interrupted by SIGINT; 128+N for another signal N"))
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

  @Test func aListOfTheManual() {
    var mdoc = Mdoc()
    let details = "One. Two"
    let items = [
      Item("say it", "a word", details: details), Item(.variable("HW_A, HW_B"), "variables"),
      Item(.file("~/a-b"), "a file"), Item(.page("hw-nba", 7), "a page"),
      Item(.option(short: "n", long: "--max-age", value: "a \"N\""), "an option"),
      Item(.option(short: nil, long: "--big", value: nil), "another"),
    ]
    mdoc.append([.items(items), .briefItems([items[0]])])
    #expect(
      mdoc.text == """
        .Bl -tag -width Ds
        .It Cm "say it"
        a word.
        One.
        Two
        .It Ev HW_A , HW_B
        variables
        .It Pa "~/a\\-b"
        a file
        .It Xr hw-nba 7
        a page
        .It Fl n , Fl \\-max\\-age Ar "a \\(dqN\\(dq"
        an option
        .It Fl \\-big
        another
        .El
        .Bl -tag -width Ds
        .It Cm "say it"
        a word
        .El

        """)
  }

  /// A paragraph is parted from what precedes it, but not from a heading.
  @Test func paragraphsOfTheManual() {
    var mdoc = Mdoc()
    mdoc.append([
      .paragraph("a"), .paragraph("b"), .literal(["l"]), .paragraph("c"),
      .subsection(title: "T-x", [.paragraph("d"), .paragraph("e")]), .paragraph("f"),
    ])
    #expect(
      mdoc.text
        == "a\n.Pp\nb\n.Bd -literal -offset indent\nl\n.Ed\n.Pp\nc\n.Ss T\\-x\nd\n.Pp\ne\nf\n")
  }

  // MARK: Pages

  private func page(options: Int, examples: [String], inherited: [String] = []) -> Page {
    var page = Page(name: "x", summary: "a summary", usage: ["", "FILE"], sections: [])
    page.sections = [
      Section("Examples", isBrief: true, [.literal(examples.flatMap { ["# \($0)", "x \($0)"] })]),
      Section("Options", isBrief: true, [.items((0..<options).map { Item("o\($0)", "an option") })]),
      Section("Output", [.paragraph("Much.")]),
    ]
    page.inherited = inherited
    return page
  }

  /// Two lines each, after an empty line and a heading, and before an empty line and the last.
  @Test(
    "The short help has as many examples as fit into 24 lines",
    arguments: [(8, 3), (9, 2), (10, 2), (11, 1), (12, 1), (13, 0), (20, 0)] as [(Int, Int)])
  func examples(options: Int, count: Int) {
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

  @Test func aPageWithoutSections() {
    var page = Page(name: "x", summary: "a summary", usage: ["", "FILE"], sections: [])
    #expect(page.short() == "x: a summary\n\nusage: x\n       x FILE\n\nSee 'x --help' for more.\n")
    page.inherited = ["--json", "--csv"]
    #expect(
      page.short()
        == "x: a summary\n\nusage: x\n       x FILE\n\n  Also: --json --csv (see 'hw help options')\n"
        + "\nSee 'x --help' for more.\n")
    #expect(
      self.page(options: 1, examples: [], inherited: ["--json"]).short()
        == "x: a summary\n\nusage: x\n       x FILE\n\nOptions\n  o0  an option\n"
        + "  Also: --json (see 'hw help options')\n\nSee 'x --help' for more.\n")
  }

  /// A term of 28 columns has its text beside it, a longer one below it; on a narrow screen that is so from 5 on.
  @Test func termsAndTheirTexts() {
    let (short, long) = (String(repeating: "s", count: 28), String(repeating: "l", count: 29))
    func lines(_ terms: [String], _ width: Int?) -> [String] {
      PageText(details: true, Screen(width: width, color: false)).lines([
        .items(terms.map { Item($0, "text") })
      ])
    }
    let margin = String(repeating: " ", count: 32)
    #expect(lines(["a", short], nil) == ["  a\(String(repeating: " ", count: 29))text", "  \(short)  text"])
    #expect(
      lines(["a", long], 60) == ["  a\(String(repeating: " ", count: 29))text", "  \(long)", "\(margin)text"])
    #expect(lines(["abcd", "abcde"], 59) == ["  abcd  text", "  abcde", "        text"])
  }

  @Test func detailsAndSharedItems() {
    var shared = Item("b", "two")
    shared.isShared = true
    let blocks = [Block.items([Item("a", "one", details: "More."), shared])]
    #expect(PageText(details: true, nil).lines(blocks) == ["  a  one. More.", "  b  two"])
    #expect(PageText(details: false, nil).lines(blocks) == ["  a  one"])
    #expect(
      PageText(details: true, nil).lines([.briefItems([Item("a", "one", details: "More.")])]) == ["  a  one"])
  }

  @Test(arguments: [(nil, 78), (200, 78), (80, 78), (79, 77), (20, 18), (1, 18)] as [(Int?, Int)])
  func width(screen: Int?, columns: Int) {
    let form = PageText(details: true, Screen(width: screen, color: false))
    let words = [String(repeating: "a", count: columns - 2), "b"]
    #expect(form.wrapped(words.joined(separator: " ")).count == 1)
    #expect(form.wrapped(words.joined(separator: " a")).count == 2)
  }
}
