import Output
import Synchronization
import System
import Terminal
import TestSupport
import Testing

@testable import Command

@Suite struct ReportedWaitTests {
  private func context(_ clock: FakeClock, errorsAreTerminal: Bool, outputIsTerminal: Bool = false) -> Context
  {
    let host = Host(
      environment: Environment([:]), time: clock, input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(MemorySink(), isTerminal: outputIsTerminal),
      errors: ErrorStream(MemorySink(), isTerminal: errorsAreTerminal))
    return Context(
      program: Sample.program, call: Invocation(Sample.list, suite: nil), host: host,
      output: Output(Output.Settings(), Outlet(MemorySink())))
  }

  @Test func waitIsReportedEverySecond() throws {
    let clock = FakeClock()
    let left = Mutex<[Duration]>([])
    let watched = context(clock, errorsAreTerminal: true).reportingWaits { wait in
      left.withLock { $0.append(wait) }
    }
    try watched.time.sleep(for: .milliseconds(2500))
    #expect(left.withLock { $0 } == [.milliseconds(2500), .milliseconds(1500), .milliseconds(500)])
    #expect(clock.sleeps.reduce(.zero, +) == .milliseconds(2500))
  }

  /// Nobody sees the line in a log, and rows on the same terminal would be written over it.
  @Test(arguments: [(false, false), (true, true)])
  func waitIsNotReportedWithoutTerminal(errors: Bool, output: Bool) throws {
    let clock = FakeClock()
    let watched = context(clock, errorsAreTerminal: errors, outputIsTerminal: output).reportingWaits { _ in
      Issue.record("a wait was shown")
    }
    try watched.time.sleep(for: .seconds(3))
    #expect(clock.sleeps.reduce(.zero, +) == .seconds(3))
  }

  @Test(arguments: [(-1, false), (0, true), (2, true)])
  func areShownUnlessQuiet(verbosity: Int, isShown: Bool) throws {
    let shown = Mutex(false)
    let context = Context(
      Invocation(Sample.list, suite: nil).told(verbosity), time: FakeClock(), terminal: [.errors])
    try context.reportingWaits { _ in shown.withLock { $0 = true } }.time.sleep(for: .seconds(1))
    #expect(shown.withLock { $0 } == isShown)
  }

  @Test func reportingClockKeepsTime() {
    let clock = FakeClock(uptime: .seconds(7), offset: 3600)
    let time = context(clock, errorsAreTerminal: true).reportingWaits { _ in }.time
    #expect(time.now() == FakeClock.start && time.uptime() == .seconds(7))
    #expect(time.offset(at: FakeClock.start) == 3600)
  }

  @Test func contextForOtherThreadsPrintsNothing() throws {
    let sink = MemorySink()
    let host = Host(
      environment: Environment([:]), time: FakeClock(), input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(sink), errors: ErrorStream(MemorySink()))
    let context = Context(
      program: Sample.program, call: Invocation(Sample.list, suite: "zoo"), host: host,
      output: Output(Output.Settings(), Outlet(sink)))
    let other = context.forOtherThreads()
    try other.output.write([Sample.Animal(name: "cat", legs: 4)])
    try other.output.outlet.flush()
    #expect(sink.text == "" && other.call.suite == "zoo")
    try context.output.outlet.write("mine")
    try context.output.outlet.flush()
    #expect(sink.text == "mine")
  }
}
