import Output
import Synchronization
import System
import Terminal
import Testing

@testable import Command

@Suite struct ReportedWaits {
  /// Clocks that only a sleep moves.
  private final class Clocks: TimeKeeper {
    let passed = Mutex(Duration.zero)
    func now() -> Timestamp { Timestamp(seconds: 0) }
    func uptime() -> Duration { passed.withLock { $0 } }
    func sleep(for duration: Duration) { passed.withLock { $0 += duration } }
  }

  private func context(_ clocks: Clocks, errorsAreTerminal: Bool, outputIsTerminal: Bool = false) -> Context {
    let host = Host(
      environment: Environment([:]), time: clocks, input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(MemorySink(), isTerminal: outputIsTerminal),
      errors: ErrorStream(MemorySink(), isTerminal: errorsAreTerminal))
    return Context(
      program: Sample.program, call: Invocation(Sample.list, suite: nil), host: host,
      output: Output(Output.Settings(), Outlet(MemorySink())))
  }

  @Test func areShownEverySecond() throws {
    let clocks = Clocks()
    let left = Mutex<[Duration]>([])
    let watched = context(clocks, errorsAreTerminal: true).reportingWaits { wait in
      left.withLock { $0.append(wait) }
    }
    try watched.time.sleep(for: .milliseconds(2500))
    #expect(left.withLock { $0 } == [.milliseconds(2500), .milliseconds(1500), .milliseconds(500)])
    #expect(clocks.uptime() == .milliseconds(2500))
  }

  /// Nobody sees the line in a log, and rows on the same terminal would be written over it.
  @Test(arguments: [(false, false), (true, true)])
  func areNotShownElsewhere(errors: Bool, output: Bool) throws {
    let clocks = Clocks()
    let watched = context(clocks, errorsAreTerminal: errors, outputIsTerminal: output).reportingWaits { _ in
      Issue.record("a wait was shown")
    }
    try watched.time.sleep(for: .seconds(3))
    #expect(clocks.uptime() == .seconds(3))
  }
}
