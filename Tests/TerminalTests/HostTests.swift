import System
import TestSupport
import Testing

@testable import Terminal

/// What a command may do depends on which of its streams are terminals.
@Suite struct HostTests {
  private let output = MemorySink()

  private func host(
    _ input: Bool, _ output: Bool, _ errors: Bool, term: String = "xterm", size: WindowSize? = nil
  ) -> Host {
    Host(
      environment: Environment(["TERM": term]), time: FakeClock(),
      input: .init(MemorySource([]), isTerminal: input),
      output: .init(self.output, isTerminal: output, size: { size }),
      errors: ErrorStream(MemorySink(), isTerminal: errors))
  }

  @Test(arguments: [false, true], [(false, false), (false, true), (true, false), (true, true)])
  func whatIsPossible(input: Bool, others: (output: Bool, errors: Bool)) {
    let (output, errors) = others
    let host = host(input, output, errors)
    #expect(host.isInteractive == (input && errors))
    #expect(host.hasScreen == (input && output))
    #expect(!self.host(input, output, errors, term: "dumb").hasScreen)
    #expect(host.showsProgress == (errors && !output))
    #expect(host.hasPipedInput == !input)
    let stream = host.terminalStream
    if errors {
      #expect((stream as? ErrorStream) === host.errors)
    } else if output {
      #expect((stream as? MemorySink) === self.output)
    } else {
      #expect(stream == nil)
    }
  }

  @Test func theSizeOfAScreen() {
    let size = WindowSize(columns: 40, rows: 12)
    #expect(host(false, true, false, size: size).screenSize == size)
    #expect(host(false, true, false).screenSize == WindowSize(columns: 80, rows: 24))
    #expect(host(true, false, true, size: size).screenSize == nil)
  }
}
