import Output
import TestSupport
import Testing

@testable import Command

/// The words that complete a line of a made-up program with operands and options of every kind.
@Suite struct CompletedLines {
  private struct Box: Row {
    static let fields: Fields<Box> = [
      .text("name", "Name", "what it is called") { _ in "" },
      .integer("count", "Count", "how many it holds") { _ in 0 },
    ]
  }

  private static let things = WordSource { _, _ in [Choice("one", "1"), Choice("two", "2")] }
  private static let text = ValueKind<String>.text("TEXT")

  private static let pack = Command(
    "pack", "Pack a box",
    operands: [
      Operand("DIR", ValueKind<String>.folder, "From where"),
      Operand(optional: "THING", text.completed(with: things), "What"),
      Operand(rest: "FILE", ValueKind<String>.file, "Which"),
    ],
    options: [
      Option("size", short: "s", .choice, default: Sample.Size.small, "Choose a size"),
      Option("into", ValueKind<String>.folder, "Put it in DIR"), Option("note", text, "Add a [note]: short"),
      Option("force", short: "f", "Do it"),
    ], output: .list(Box.self, order: "by name"), examples: []
  ) { _, _ in }

  private static let seal = Command(
    "seal", "Seal a box",
    operands: [Operand("THING", ValueKind<String>.text("THING", .wordsOrFiles(things)), "What")],
    output: .plain("Nothing."), examples: []
  ) { _, _ in }

  private static let tell = Command(
    "tell", "Tell of it",
    operands: [Operand(rest: "ABOUT", ValueKind<String>.text("ABOUT", .subjects), "Of what")],
    options: [Option("brief", "Say less")], output: .plain("Text."), examples: []
  ) { _, _ in }

  private static let run = Command(
    "run", "Run it",
    operands: [
      Operand("SIZE", ValueKind<Sample.Size>.choice, "How large"),
      Operand(afterDashes: "COMMAND", ValueKind<String>.text("COMMAND"), "What"),
    ], output: .plain("Text."), examples: []
  ) { _, _ in }

  private static let program = Program(
    "shop", version: "1", "A shop", suites: [.init("box", Suite("box", "Boxes", commands: [pack, seal]))],
    tools: Suite("", "Tools", commands: [tell, run]))

  /// What the scripts read, for the last word of the line.
  @Test(
    arguments: [
      ("", "", "box tell run"), ("b", "", "box tell run"), ("box ", "", "pack seal"), ("nope ", "", ""),
      ("box nope ", "", ""), ("box pack ", "folders", ""), ("box pack d ", "", "one two"),
      ("box pack d t ", "files", ""), ("box pack d t f ", "files", ""), ("box seal ", "files", "one two"),
      ("box seal x ", "", ""), ("run ", "", "small large"), ("run small ", "", ""),
      // Options, and their values.
      ("tell -", "", "--brief" + standard), ("box seal -- -", "files", "one two"),
      ("-", "", String(standard.dropFirst())), ("box pack --size ", "", "small large"),
      ("box pack -s ", "", "small large"), ("box pack -fs ", "", "small large"),
      ("box pack --size=", "", "--size=small --size=large"), ("box pack --into ", "folders", ""),
      ("box pack --note ", "", ""), ("box pack --nope=", "", ""), ("box pack --size small ", "folders", ""),
      ("box pack --size=small ", "folders", ""), ("box pack -f ", "folders", ""),
      ("--color ", "", "auto always never"), ("--color never box pack -s ", "", "small large"),
      // Fields, of which a list may have several.
      ("box pack --sort ", "nospace", "name count"), ("box pack --sort name,c", "nospace", "name,count"),
      ("box pack --sort -", "nospace", "-name -count"), ("box pack --where ", "nospace", "name= count="),
      ("box pack --where=", "nospace", "--where=name= --where=count="),
      ("box pack --fields ", "nospace", "name count all help"),
      ("box pack --fields=name,", "nospace", "--fields=name,count --fields=name,all --fields=name,help"),
      ("tell --fields ", "nospace", ""),
      // A command that follows dashes, also of the program itself.
      ("run small -- ", "files", ""), ("run small -- ls -l", "files", ""),
      ("run small -- shop ", "", "box tell run"), ("run small -- shop run -- ls x", "files", ""),
      ("tell box ", "", "pack seal"), ("tell box pack ", "", ""), ("tell nope ", "", ""),
    ] as [(String, String, String)])
  func answer(line: String, traits: String, words: String) {
    let typed = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let ran = Ran(Self.program, ["__complete", "--"] + typed)
    let lines = ran.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(ran.status == 0 && lines.first.map(String.init) == traits, "\(line)")
    let found = lines.dropFirst().map { String($0.prefix { $0 != "\t" }) }
    #expect(found.joined(separator: " ") == words, "\(line)")
  }

  private static let standard = StandardOptions.all.map { " \($0.spelling)" }.joined()

  @Test func topicsOfHelp() {
    let topics = Topic.all(Self.program).map { "\($0.name)\t\($0.summary)" }
    #expect(Ran(Self.program, ["__complete", "--", "tell", ""]).lines.dropFirst(3) == topics[...])
  }

  /// A word with its meaning, and the name of the program in each script.
  @Test func meaningsAndScripts() {
    #expect(
      Ran(Self.program, ["__complete", "--", "run", ""]).output
        == "\nsmall\tfits a pocket\nlarge\tfits a shelf\n")
    for shell in Shell.allCases {
      #expect(shell.script(for: Self.program).contains("command shop __complete -- "), "\(shell)")
    }
  }

  @Test func noListNamesTheCommand() {
    #expect(!Self.program.allCommands.contains { $0.name == Command.completeName })
    #expect(!Ran(Self.program, ["--help"]).output.contains(Command.completeName))
  }
}
