import Output
import System
import Terminal
import Testing
import TestSupport

@testable import Command

/// A command that asks before it does something.
@Suite struct OperandFailureTests {
  /// Other failures to read it are no mistake of the user.
  @Test(arguments: Failure.Kind.allCases) func invalidInputIsUsageFailure(kind: Failure.Kind) {
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
    let inputs: Set<Ran.Stream> = terminals.input ? [.input] : []
    return Context(call, terminal: inputs.union(terminals.errors ? [.errors] : []))
  }

  @Test(arguments: [(false, false), (true, false), (false, true)])
  func confirmationWithoutTerminalNeedsYes(input: Bool, errors: Bool) throws {
    let asked = context(yes: false, terminals: (input, errors))
    let refusal = failure { try asked.confirm("Really?") }
    #expect(refusal?.kind == .usage && refusal?.message == "'clear' requires '--yes' without a terminal")
    #expect(refusal?.hint == "add '--yes', or '--dry-run' to print what would be done")
    try asked.confirmIfInteractive("Really?")
    try context(yes: true, terminals: (input, errors)).confirm("Really?")
  }

  @Test func yesSkipsConfirmationOnTerminal() throws {
    let context = context(yes: true, terminals: (true, true))
    try context.confirm("Really?")
    try context.confirmIfInteractive("Really?")
  }
}

@Suite struct ContextTests {
  @Test func contextForOtherThreadsPrintsNothing() throws {
    let sink = MemorySink()
    let host = Host(
      environment: Environment([:]), time: FakeClock(), input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(sink), errors: ErrorStream(MemorySink()))
    let context = Context(
      program: Sample.program, call: Invocation(Sample.list, suite: "zoo"), host: host,
      output: Output(Output.Settings(), Outlet(sink)))
    let other = context.makeForOtherThreads()
    try other.output.write([Sample.Animal(name: "cat", legs: 4)])
    try other.output.outlet.flush()
    #expect(sink.text == "" && other.call.suite == "zoo")
    try context.output.outlet.write("mine")
    try context.output.outlet.flush()
    #expect(sink.text == "mine")
  }
}
