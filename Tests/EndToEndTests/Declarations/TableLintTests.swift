@testable import Command
import Output
import TestSupport
import Testing

@testable import hw

@Suite(.ownThread) struct CommandTable {
  @Test func tableHasNoProblems() { #expect(TableLint.problems(.hw) == []) }
}

/// A table with one fault each, and what the lint says of it.
@Suite(.ownThread) struct TableLintRules {
  private static let good = option("good", "Is good")

  private static func option(_ name: String, short: Character? = nil, _ summary: String, details: String = "")
    -> Option<Bool>
  { Option(name, short: short, summary, details: details) }

  private static func valued(_ name: String, short: Character? = nil) -> Option<String?> {
    Option(name, short: short, ValueKind<String>.text("X"), "Takes a value")
  }

  private static func command(
    _ name: String = "walk", _ summary: String = "Walk about", discussion: String = "",
    operands: [any DeclaredOperand] = [], options: [any Declared] = [],
    output: CommandOutput = .plain("Nothing."), needs: Needs = [], examples: [Example]? = nil
  ) -> Command {
    Command(
      name, summary, discussion: discussion, operands: operands, options: options, output: output,
      needs: needs, examples: examples ?? [Example("hw zoo \(name)", "as it is")]
    ) { _, _ in }
  }

  private struct Animal: Row {
    static let fields: Fields<Animal> = [.text("a", "A", "what it is") { _ in "" }]
  }

  private static func table(
    _ commands: [Command], suite: String = "zoo", entry: String? = nil, tool: String = "tool"
  ) -> Program {
    Program(
      "hw", version: "1", "A table",
      suites: [.init(entry ?? suite, Suite(suite, "Animals", commands: commands))],
      tools: Suite("", "Tools", commands: [command(tool, examples: [Example("hw \(tool)", "as it is")])]))
  }

  private static func fields(_ paths: [String], meaning: String = "what it is") -> CommandOutput {
    CommandOutput(
      kind: .rows, columns: paths.map { Column($0, title: $0, meaning: meaning, type: .text) }, text: nil)
  }

  private static var commands: [(String, [Command])] {
    let operand = ValueKind<String>.text("X")
    let empty = ValueKind<String>("X", expects: "x", choices: [Choice("a", ""), Choice("b", "the second")]) {
      $0
    }
    return [
      // Names.
      ("two commands of 'zoo' are called 'walk'", [command(), command()]),
      ("'Walk' is no lower-case name", [command("Walk")]),
      ("'-?' is no letter or digit", [command(options: [option("what", short: "?", "Asks")])]),
      (
        "operand 'Thing' is not upper case",
        [command(operands: [Operand(optional: "Thing", operand, "A thing")])]
      ),
      // Options.
      ("hw zoo walk has '--good' twice", [command(options: [good, good])]),
      ("hw zoo walk has '--json' twice", [command(options: [option("json", "Is JSON")])]),
      ("hw zoo walk has '--no-good' twice", [command(options: [good, option("no-good", "Is bad")])]),
      ("hw zoo walk has '-q' twice", [command(options: [option("quick", short: "q", "Is quick")])]),
      (
        "'--good' is an option with a value in zoo run, but a flag in zoo walk",
        [command(options: [good]), command("run", options: [valued("good")])]
      ),
      (
        "'--good' is a flag -g in zoo run, but a flag in zoo walk",
        [command(options: [good]), command("run", options: [option("good", short: "g", "Is good")])]
      ),
      (
        "'-x' is with a value in zoo run, but without a value in zoo walk",
        [
          command(options: [option("a", short: "x", "Is a")]),
          command("run", options: [valued("b", short: "x")]),
        ]
      ),
      // Summaries.
      ("'zoo walk' has no summary", [command("walk", "")]),
      ("the summary of 'zoo walk' begins with a small letter", [command("walk", "walk about")]),
      ("the summary of 'zoo walk' ends with a full stop", [command("walk", "Walk about.")]),
      (
        "the summary of 'zoo walk' is longer than a line",
        [command("walk", String(repeating: "Walk", count: 21))]
      ),
      ("'zoo walk --bad' has no summary", [command(options: [option("bad", "")])]),
      (
        "'zoo walk THING' has no summary",
        [command(operands: [Operand(optional: "THING", operand, "")])]
      ),
      (
        "choice 'a' of '--pick' has no meaning",
        [command(options: [Option("pick", empty, "Picks") as Option<String?>])]
      ),
      // Examples.
      ("'zoo walk' has no example", [command(examples: [])]),
      ("'hw zoo walk' is not explained", [command(examples: [Example("hw zoo walk", "")])]),
      (
        "'hw zoo walk --nope' does not parse: unknown option '--nope'",
        [command(examples: [Example("hw zoo walk --nope", "is wrong")])]
      ),
      (
        "'hw zoo walk | hw zoo run' does not parse: 'run' is not a command of 'hw zoo'",
        [command(examples: [Example("hw zoo walk | hw zoo run", "is wrong")])]
      ),
      (
        "'hw zoo walk --nope' ends with status 2",
        [command(examples: [Example("hw zoo walk --nope", "is refused", exits: 2)])]
      ),
      (
        "'hw zoo walk' ends with status 1",
        [command(examples: [Example("hw zoo walk", "finds nothing", exits: 1)])]
      ),
      ("'ls' is no example of 'zoo walk'", [command(examples: [Example("ls", "is another")])]),
      (
        "'hw tool' is no example of 'zoo walk'",
        [command(examples: [Example("hw tool", "is another")])]
      ),
      // What is promised of a kind of command.
      ("'zoo walk' has '--sort', but declares no list", [command(options: [option("sort", "Sorts")])]),
      (
        "'zoo walk' is summed up as a list, but declares none",
        [command("walk", "List the animals", output: fields(["a"]))]
      ),
      (
        "the rows of 'zoo walk' have no field 'b', their key",
        [command(output: .list(Animal.self, order: "by name", key: "b"))]
      ),
      (
        "'zoo walk' is watched, but its rows have no key",
        [command(output: .list(Animal.self, order: "by name", watch: .init()))]
      ),
      (
        "'zoo walk' says 'Remove an animal', but not that something is lost by it",
        [command("walk", "Remove an animal")]
      ),
      (
        "'--in' of 'hw zoo walk' is not declared as input",
        [command(options: [Option("in", ValueKind<String>.file, "Read it; '-' is standard input")])]
      ),
      (
        "'FILE' of 'hw zoo walk' is not declared as input",
        [command(operands: [Operand("FILE", ValueKind<String>.file, "The file or '-'")])]
      ),
      (
        "'zoo walk' says 'Forget it', but not that something is lost by it",
        [command(options: [option("forget", "Forget it")])]
      ),
      (
        "'--good' is summed up otherwise in zoo run than in zoo walk",
        [command(options: [good]), command("run", options: [option("good", "Is better")])]
      ),
      (
        "the value of '--x' has another name in zoo run than in zoo walk",
        [
          command(options: [valued("x")]),
          command(
            "run", options: [Option("x", ValueKind<String>.text("Y"), "Takes a value") as Option<String?>]),
        ]
      ),
      ("'zoo walk' has no '--dry-run', but something is lost by it", [command(needs: [.loss])]),
      ("'zoo walk' has no '--yes', but something is lost by it", [command(needs: [.loss])]),
      ("'zoo walk' has '--yes', but nothing is lost by it", [command(options: [option("yes", "Does it")])]),
      // Cross-references.
      ("'zoo walk' speaks of '--gone', which is not there", [command(discussion: "See --gone.")]),
      ("'zoo walk' speaks of '--no-gone', which is not there", [command(discussion: "See '--no-gone'.")]),
      ("'zoo walk' speaks of 'hw farm', which is not there", [command(discussion: "See 'hw farm list'.")]),
      (
        "'zoo walk' speaks of 'hw zoo run', which is not there",
        [command(discussion: "See 'hw zoo run --json'.")]
      ),
      (
        "'zoo walk --good' speaks of '--gone', which is not there",
        [command(options: [option("good", "Is good", details: "As --gone was.")])]
      ),
      ("'zoo walk' has a stray backslash", [command(discussion: "Walks \\ about.")]),
      // Operands and fields.
      (
        "'zoo walk': B cannot follow A",
        [command(operands: [Operand(optional: "A", operand, "A thing"), Operand("B", operand, "A thing")])]
      ),
      (
        "'zoo walk': B cannot follow A",
        [
          command(operands: [
            Operand(rest: "A", operand, "Things"), Operand(optional: "B", operand, "A thing"),
          ])
        ]
      ),
      ("'zoo walk' has the field 'a' twice", [command(output: fields(["a", "b", "a"]))]),
      ("'zoo walk' has the title 'a' twice", [command(output: fields(["a", "A"]))]),
      ("'zoo walk': the field 'a' is a value and has parts", [command(output: fields(["a", "a.b"]))]),
      ("'zoo walk': the field 'a' has no meaning", [command(output: fields(["a"], meaning: ""))]),
      ("'zoo walk': 'all' means something to --fields", [command(output: fields(["all"]))]),
    ]
  }

  private static var cases: [(String, Program)] {
    commands.map { ($0, table($1)) } + [
      ("two of suites, tools and topics are called 'zoo'", table([], tool: "zoo")),
      ("two of suites, tools and topics are called 'output'", table([], tool: "output")),
      ("'zoo' stands in the table as 'farm'", table([command()], entry: "farm")),
    ]
  }

  @Test(arguments: cases.indices)
  func ruleFindsProblem(index: Int) {
    let (problem, program) = TableLintRules.cases[index]
    #expect(TableLint.problems(program).contains(problem), "\(TableLint.problems(program))")
  }

  /// And nothing in a table that is right, so that the cases above fail for their fault alone.
  @Test func validTableHasNoProblems() {
    let walk = TableLintRules.command(
      discussion: "See 'hw zoo walk', 'hw tool --json', --good, --no-good and '--no-X'.",
      operands: [Operand(rest: "THING", ValueKind<String>.text("THING"), "A thing")],
      options: [TableLintRules.good, TableLintRules.valued("kind", short: "k")],
      output: TableLintRules.fields(["a.b", "a.c"]),
      examples: [Example("X=1 hw zoo walk --good -k 5 a 'b c' >out | hw tool --json; ls -x", "much")])
    // The topics speak of the commands of hw itself.
    #expect(TableLint.problems(TableLintRules.table([walk])).filter { $0.contains("zoo") } == [])
  }

  @Test(arguments: [
    ("hw a b", [["a", "b"]]), ("echo hw | hw 'a b' \"c\"", [["a b", "c"]]),
    ("hw a >f 2>g <h; hw b", [["a"], ["b"]]), ("(hw a && hw b) || true", [["a"], ["b"]]),
    ("HW_X=1 hw a", [["a"]]), ("echo 'hw a'", []), ("hw a ''", [["a", ""]]),
  ])
  func callsAreSplitIntoWords(line: String, calls: [[String]]) {
    #expect(ShellPrograms.calls(of: "hw", in: line) == calls)
  }
}
