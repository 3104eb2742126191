import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

/// A command that does the same for each of its operands, or asks before it does it.
@Suite struct EachOfTheOperands {
  private static let names = Operand(rest: "NAME", ValueKind<String>.text("NAME"), "Which")

  /// A name that is a kind of failure fails.
  private static let feed = Command(
    "feed", "Feed them", operands: [names], output: .rows(Sample.Animal.self), examples: []
  ) { call, context throws(Failure) in
    try context.writeEach(try call[names]) { name throws(Failure) in
      if let kind = Failure.Kind(rawValue: name) { throw Failure(kind, "no \(name)") }
      return Sample.Animal(name: name, legs: nil)
    }
  }

  private static let program = Sample.program(tools: [feed])

  @Test(arguments: [
    ("a b", "", "a b", "", 0), ("a - z", " b \n\n\t\nc", "a b c z", "", 0), ("-", "", "", "", 0),
    // One alone is the failure of the command, with or without a report of its own.
    ("notFound", "", "", "no notFound", 3), ("-", "notFound\nb\n", "b", "no notFound", 3),
    ("notFound b", "", "b", "no notFound", 3),
    // The first one decides.
    ("notFound a conflict", "", "a", "no notFound|no conflict", 3),
    ("conflict a notFound", "", "a", "no conflict|no notFound", 4),
    // After some there is no sense in going on.
    ("a interrupted b", "", "a", "", 130), ("a defect b", "", "a", "no defect", 70),
    ("conflict interrupted b", "", "", "no conflict", 130),
    ("conflict closedPipe b", "", "", "no conflict", 141),
    ("conflict defect b", "", "", "no conflict|no defect", 70),
  ])
  func written(operands: String, input: String, rows: String, messages: String, status: Int32) {
    let words = operands.split(separator: " ").map(String.init)
    let ran = Ran(
      Self.program, ["feed", "--tsv", "--no-header", "--fields", "name"] + words, input: input)
    #expect(ran.lines.joined(separator: " ") == rows)
    #expect(ran.errors == messages.split(separator: "|").map { "hw: \($0)\n" }.joined())
    #expect(ran.status == status)
  }

  /// Other failures to read it are no mistake of the user.
  @Test(arguments: Failure.Kind.allCases) func badInputIsAMistakeOfTheUser(kind: Failure.Kind) {
    let failure = Failure(kind, "no", hint: "mend it")
    #expect(failure.asInput == Failure(kind == .invalidData ? .usage : kind, "no", hint: "mend it"))
  }

  // MARK: Confirmations

  private static let clear = Command(
    "clear", "Clear it", options: [Confirmation.yes, Confirmation.dryRun], output: .plain("Text."),
    examples: []
  ) { _, _ in }

  private func context(yes: Bool, terminals: (input: Bool, errors: Bool)) -> Context {
    var call = Invocation(Self.clear, suite: nil)
    if yes { call.set(Confirmation.yes.declaration, to: true) }
    let host = Host(
      environment: Environment([:]), time: FakeClock(),
      input: Host.InputStream(MemorySource([]), isTerminal: terminals.input),
      output: Host.OutputStream(MemorySink()),
      errors: ErrorStream(MemorySink(), isTerminal: terminals.errors))
    return Context(
      program: Self.program, call: call, host: host, output: Output(.init(), Outlet(MemorySink())))
  }

  @Test(arguments: [(false, false), (true, false), (false, true)])
  func whereNobodyCanBeAsked(input: Bool, errors: Bool) throws {
    let asked = context(yes: false, terminals: (input, errors))
    let refusal = failure { try asked.confirm("Really?") }
    #expect(refusal?.kind == .usage && refusal?.message == "'clear' requires '--yes' without a terminal")
    #expect(refusal?.hint == "add '--yes', or '--dry-run' to print what would be done")
    try asked.confirmIfInteractive("Really?")
    try context(yes: true, terminals: (input, errors)).confirm("Really?")
  }

  @Test func yesIsAnAnswerOnATerminalToo() throws {
    let context = context(yes: true, terminals: (true, true))
    try context.confirm("Really?")
    try context.confirmIfInteractive("Really?")
  }
}
