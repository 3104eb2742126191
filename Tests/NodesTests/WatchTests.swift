import Command
import HTTP
import Output
import Server
import System
import Terminal
import Testing

@testable import Nodes

/// `hw nodes top --watch` in the process of the test, with a clock of its own.
@Suite struct WatchTests {
  /// A service that sends garbage or is overloaded may be well again the next time.
  @Test(arguments: [
    Response(200, body: Array("<html>".utf8)), Response(429, headers: ["Retry-After": "3"]), Response(503),
  ])
  func whatPasses(_ trouble: Response) throws {
    let time = CountedTime(sleeps: 2)
    func ranking(_ alias: String) -> Response { .ranking([NodeTests.row("alias", "\"\(alias)\"")]) }
    let service = ScriptedRankings([ranking("a"), trouble, ranking("b")])
    let ran = Ran(["top", "--watch", "10", "--jsonl", "--fields", "alias"], service, time: time)
    #expect(ran.status == 130)
    #expect(
      ran.lines == [#"{"event":"added","alias":"a"}"#, #"{"event":"changed","alias":"b"}"#])
    #expect(ran.errors.contains("showing the last result, next request in 10 s"))
    #expect(time.slept == [.seconds(10), .seconds(10), .seconds(10)])
  }

  /// Without a terminal: the table again after a change, events in other formats, errors on standard error.
  @Test(
    arguments: [
      (
        ["--jsonl", "--fields", "rank,alias"],
        "{\"event\":\"added\",\"rank\":1,\"alias\":\"a\"}\n{\"event\":\"changed\",\"rank\":1,\"alias\":\"b\"}\n"
      ),
      (["--tsv", "--no-header", "--fields", "rank,alias"], "added\t1\ta\nchanged\t1\tb\n"),
      (["--fields", "alias"], "Alias\na\n\nAlias\nb\n"),
    ] as [([String], String)])
  func printing(_ options: [String], _ printed: String) throws {
    let time = CountedTime(sleeps: 3)
    let service = FlakyService(["a", nil, "b", "b"])
    let output = MemorySink()
    let errors = MemorySink()
    let suite = Suite(
      "nodes", "Nodes", backend: { _, _ in service.backend }, commands: [Nodes.top])
    let program = Program(
      "hw", version: "1", "Test", suites: [.init("nodes", suite)], tools: Suite("", "None", commands: []))
    let host = Host(
      environment: Environment([:]), time: time, input: Host.InputStream(MemorySource([])),
      output: Host.OutputStream(output), errors: ErrorStream(errors))
    let result = Runner(program, host).run { () throws(Failure) in
      ["nodes", "top", "--demo", "--watch", "10"] + options
    }
    guard case .failure(let failure) = result else {
      Issue.record("a watch ends when it is interrupted")
      return
    }
    #expect(failure.kind == .interrupted)
    #expect(output.text == printed)
    #expect(errors.text.contains("showing the last result, next request in 10 s"))
    #expect(time.slept == [.seconds(10), .seconds(10), .seconds(10), .seconds(10)])
  }
}

/// A clock that is interrupted after so many sleeps.
private final class CountedTime: TimeKeeper, @unchecked Sendable {
  private let sleeps: Int
  private(set) var slept: [Duration] = []

  init(sleeps: Int) {
    self.sleeps = sleeps
  }

  func now() -> Timestamp { Timestamp(seconds: 1_767_225_600) }
  func uptime() -> Duration { .zero }
  func sleep(for duration: Duration) throws(Failure) {
    slept.append(duration)
    if slept.count > sleeps { throw Interruption.failure }
  }
}

/// Answers with one node of the alias that is next; nil is a service in trouble.
private final class FlakyService: @unchecked Sendable {
  private var aliases: [String?]

  init(_ aliases: [String?]) {
    self.aliases = aliases
  }

  var backend: Backend {
    Backend(
      "nodes",
      routes: [
        Route(.get, "/api/v1/lightning/nodes/rankings/:ranking") { _ in
          guard let alias = self.aliases.removeFirst() else { return Response(503) }
          return Response(200, body: Array("[\(NodeTests.row("alias", "\"\(alias)\""))]".utf8))
        }
      ])
  }
}
