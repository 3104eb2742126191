import System
import TestSupport
import Testing

@testable import Terminal

/// What a command may do depends on which of its streams are terminals.
@Suite struct HostTests {
  private let output = MemorySink()

  private func host(_ input: Bool, _ output: Bool, _ errors: Bool, term: String? = "xterm") -> Host {
    Host(
      environment: Environment(term.map { ["TERM": $0] } ?? [:]), time: FakeClock(),
      input: .init(MemorySource([]), isTerminal: input), output: .init(self.output, isTerminal: output),
      errors: ErrorStream(MemorySink(), isTerminal: errors))
  }

  @Test(arguments: [false, true], [(false, false), (false, true), (true, false), (true, true)])
  func terminalsDecideCapabilities(input: Bool, others: (output: Bool, errors: Bool)) {
    let (output, errors) = others
    let host = host(input, output, errors)
    #expect(host.isInteractive == (input && errors))
    #expect(host.hasScreen == (input && output))
    for term in ["dumb", "", nil] {
      let problem = self.host(input, output, errors, term: term).screenProblem
      let name = term == "dumb" ? "'dumb'" : "not set"
      #expect(
        problem
          == (input && output
            ? "requires a terminal with a screen, and TERM is \(name)" : "requires a terminal"))
    }
  }

  /// A program that was asked to stop does not wait for those who read its output, but its last message is written.
  @Test func signalInterruptsOutputButNotErrors() async {
    await #expect(processExitsWith: .success) {
      let full = try Pipe()
      _ = fcntl(full.writer.rawValue, F_SETFL, O_NONBLOCK)
      while (try? full.writer.writeAll([7])) != nil {}
      for number in [1, 2] as [Int32] { dup2(full.writer.rawValue, number) }
      let host = Host.process()
      // As its signal.
      let interrupted = TerminalDevice.noteHangUp()
      #expect(throws: interrupted) { try host.output.bytes.write("x") }
      let busy = Failure(.storage, "cannot write 'standard error': resource temporarily unavailable")
      #expect(throws: busy) { try host.errors.unlocked.write("x") }
    }
  }

  // MARK: Paging

  private func host(pager: String, _ sink: (any ByteSink & Sendable)? = nil) -> Host {
    Interruption.install()
    Interruption.allowLongCleanUp()
    let path = Environment.process["PATH"] ?? "/usr/bin:/bin"
    return Host(
      environment: Environment(["TERM": "xterm", "HW_PAGER": pager, "PATH": path]), time: FakeClock(),
      input: .init(MemorySource([])), output: .init(sink ?? output, isTerminal: true),
      errors: ErrorStream(MemorySink()))
  }

  /// One pager for everything, and in the colors that the terminal has.
  @Test func allOutputGoesToOnePager() throws {
    let scratch = try ScratchDirectory()
    let result = try host(pager: "cat >'\(scratch.file("paged"))'").paged { sink throws(Failure) in
      try sink.write("one\n")
      try sink.write("\u{1B}[38;2;255;0;0mtwo\n")
      return 7
    }
    #expect(result == 7 && output.text == "")
    #expect(scratch.text("paged") == "one\n\u{1B}[38;5;196mtwo\n")
  }

  /// Takes everything, and is then found without a reader.
  private struct Unread: ByteSink {
    func write(_ bytes: RawSpan) throws(Failure) {}
    func awaitReader() throws(Failure) { throw Failure(.closedPipe, "nobody reads") }
  }

  /// Without a pager it is the program's own output that nobody reads.
  @Test func withoutPagerOutputIsAwaited() {
    let gone = Failure(.closedPipe, "nobody reads")
    for sink in [Unread(), FullSink(gone)] as [any ByteSink & Sendable] {
      let found = failure {
        try host(pager: "", sink).paged { sink throws(Failure) in
          try sink.write("one\n")
          try sink.awaitReader()
        }
      }
      #expect(found == gone)
    }
  }
}
