import Output
import Synchronization
import System
import Testing

@testable import Command

@Suite struct WatchedWaits {
  /// Clocks that a sleep alone moves.
  private final class Clocks: TimeKeeper {
    let passed = Mutex(Duration.zero)
    func now() -> Timestamp { Timestamp(seconds: 0) }
    func uptime() -> Duration { passed.withLock { $0 } }
    func sleep(for duration: Duration) { passed.withLock { $0 += duration } }
  }

  @Test func areToldAsTheyPassAndNothingIsWrittenOverTheLine() throws {
    let clocks = Clocks()
    let errors = MemorySink()
    let host = Host(
      environment: Environment([:]), time: clocks, input: Host.Stream(MemorySource([])),
      output: Host.Stream(MemorySink()), errors: Host.Stream(errors))
    let context = Context(
      program: Sample.program, call: Invocation(Sample.list, suite: nil), host: host,
      output: Output(Output.Settings(), Outlet(MemorySink())), messages: Messages(host.errors, verbosity: 0))
    var left: [Duration] = []
    let watched = context.watched(clear: { try? errors.write("<clear>") }, show: { left.append($0) })
    try watched.time.sleep(for: .milliseconds(2500))
    #expect(left == [.milliseconds(2500), .milliseconds(1500), .milliseconds(500)])
    #expect(clocks.uptime() == .milliseconds(2500))
    watched.messages.report("hello")
    #expect(errors.text == "<clear>hw: hello\n")
  }
}

@Suite struct WhatIsToldBehindAScreen {
  @Test(
    "is not written over it, and goes on where it is no terminal",
    arguments: [(true, "hw: before\nhw: after\n"), (false, "hw: before\nhw: meanwhile\nhw: after\n")])
  func curtain(isTerminal: Bool, text: String) {
    let errors = MemorySink()
    let messages = Messages(Host.Stream(errors, isTerminal: isTerminal), verbosity: 0)
    messages.report("before")
    messages.curtain.fall()
    messages.report("meanwhile")
    messages.curtain.rise()
    messages.report("after")
    #expect(errors.text == text)
  }
}
