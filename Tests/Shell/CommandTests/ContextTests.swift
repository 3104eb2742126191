import Output
import System
import Terminal
import TestSupport
import Testing

@testable import Command

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
