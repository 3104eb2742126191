import Command
import HTTP
import JSON
import Output
import Server
import System
import Terminal
import Testing

@testable import Nodes

/// A ranking that is watched: what is printed when, in a process of the test's own with a clock of its own.
@Suite struct WatchTests {
  private static let view = NodeView(language: .english, isHuman: false, time: StillTime())

  private static func rows(_ members: [(key: String, channels: Int)]) throws -> [RankedNode] {
    try members.enumerated().map { index, member in
      let text = NodeTests.row("channels", "\(member.channels)").replacing(NodeTests.key, with: member.key)
      return RankedNode(rank: index + 1, node: try Node(JSON.parse(text)), view: view)
    }
  }

  private static func told(_ old: [(String, Int)], _ new: [(String, Int)]) throws -> [String] {
    Watch.changes(
      from: try rows(old.map { ($0.0, $0.1) }), to: try rows(new.map { ($0.0, $0.1) })
    ).map { "\($0.rank.map(String.init) ?? "-") \($0.node.publicKey) \($0.node.channels)" }
  }

  /// What has changed and nothing else; what has left comes last, without a rank.
  @Test func changes() throws {
    #expect(try WatchTests.told([("a", 9), ("b", 8)], [("a", 9), ("b", 8)]) == [])
    #expect(try WatchTests.told([("a", 9), ("b", 8)], [("a", 9), ("b", 7)]) == ["2 b 7"])
    #expect(try WatchTests.told([("a", 9), ("b", 8)], [("b", 8), ("a", 7)]) == ["1 b 8", "2 a 7"])
    #expect(try WatchTests.told([("a", 9), ("b", 8)], [("a", 9), ("c", 8)]) == ["2 c 8", "- b 8"])
    #expect(try WatchTests.told([], [("a", 1)]) == ["1 a 1"])
  }

  /// On a terminal: the last good table stays when the service fails, the status says so, and the next answer heals it.
  @Test func theScreenKeepsTheLastGoodTable() throws {
    var answers: [Result<[String], Failure>] = [
      .success(["Rank", "1 a"]), .failure(Failure(.connection, "it is gone")), .success(["Rank", "1 b"]),
    ]
    var screen = WatchScreen(every: .seconds(10), clock: { "12:00" }) { (_: Int) throws(Failure) in
      try answers.removeFirst().get()
    }
    func picture() -> [String] {
      var canvas = Canvas(WindowSize(columns: 60, rows: 4))
      screen.draw(on: &canvas)
      return canvas.lines
    }
    _ = try screen.handle(.resized(WindowSize(columns: 60, rows: 4)), at: .seconds(1))
    #expect(picture() == ["Rank", "1 a", "", "12:00, again every 10 s; q leaves"])
    #expect(screen.alarm == .seconds(11))
    _ = try screen.handle(.tick, at: .seconds(11))
    #expect(picture() == ["Rank", "1 a", "", "12:00: still the last good answer; it is gone"])
    #expect(screen.alarm == .seconds(21))
    _ = try screen.handle(.tick, at: .seconds(21))
    #expect(picture() == ["Rank", "1 b", "", "12:00, again every 10 s; q leaves"])
  }

  @Test func theScreenScrolls() throws {
    var screen = WatchScreen(every: .seconds(10), clock: { "" }) { (_: Int) throws(Failure) in
      ["head"] + (1...9).map { "row \($0)" }
    }
    _ = try screen.handle(.resized(WindowSize(columns: 20, rows: 5)), at: .zero)
    func first() -> String {
      var canvas = Canvas(WindowSize(columns: 20, rows: 5))
      screen.draw(on: &canvas)
      return canvas.lines[1]
    }
    #expect(first() == "row 1")
    _ = try screen.handle(.key(.down), at: .zero)
    #expect(first() == "row 2")
    _ = try screen.handle(.key(.end), at: .zero)
    #expect(first() == "row 7")
    _ = try screen.handle(.key(.pageUp), at: .zero)
    #expect(first() == "row 4")
    _ = try screen.handle(.key(.home), at: .zero)
    #expect(first() == "row 1")
    guard case .leave = try screen.handle(.key(.character("q")), at: .zero) else {
      Issue.record("q leaves")
      return
    }
  }

  /// A key that the service does not take will not be taken the next time either.
  @Test func whatDoesNotPassEndsTheScreen() throws {
    var isFirst = true
    var screen = WatchScreen(every: .seconds(10), clock: { "" }) { (_: Int) throws(Failure) in
      defer { isFirst = false }
      if isFirst { return ["head"] }
      throw Failure(.unauthorized, "no")
    }
    _ = try screen.handle(.resized(WindowSize(columns: 20, rows: 5)), at: .zero)
    #expect(throws: Failure.self) { try screen.handle(.tick, at: .seconds(10)) }
  }

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
    #expect(ran.lines == [#"{"alias":"a"}"#, #"{"alias":"b"}"#])
    #expect(ran.errors.contains("this is still the last answer, next try in 10 s"))
    #expect(time.slept == [.seconds(10), .seconds(10), .seconds(10)])
  }

  /// The same on a terminal: the table stays, and its last line reports the error.
  @Test(arguments: [Failure.Kind.connection, .invalidData, .rateLimited])
  func whatPassesOnAScreen(_ kind: Failure.Kind) throws {
    var answers: [Result<[String], Failure>] = [
      .success(["head", "row"]), .failure(Failure(kind, "reason")),
    ]
    var screen = WatchScreen(every: .seconds(10), clock: { "12:00" }) { (_: Int) throws(Failure) in
      try answers.removeFirst().get()
    }
    let size = WindowSize(columns: 60, rows: 4)
    _ = try screen.handle(.resized(size), at: .seconds(1))
    _ = try screen.handle(.tick, at: .seconds(11))
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    #expect(canvas.lines == ["head", "row", "", "12:00: still the last good answer; reason"])
  }

  /// Elsewhere: anew each time, changes alone as JSON lines, and the error on standard error while the watch goes on.
  @Test(
    arguments: [
      (
        ["--jsonl", "--fields", "rank,alias"], "{\"rank\":1,\"alias\":\"a\"}\n{\"rank\":1,\"alias\":\"b\"}\n"
      ),
      (["--tsv", "--no-header", "--fields", "rank,alias"], "1\ta\n1\tb\n1\tb\n"),
      (["--fields", "alias"], "Alias\na\n\nAlias\nb\n\nAlias\nb\n"),
    ] as [([String], String)])
  func printing(_ options: [String], _ printed: String) throws {
    let time = CountedTime(sleeps: 3)
    let service = FlakyService(["a", nil, "b", "b"])
    let output = MemorySink()
    let errors = MemorySink()
    let suite = Suite(
      "nodes", "Nodes", backend: { _ in service.backend }, commands: [Nodes.top])
    let program = Program(
      "hw", version: "1", "Test", suites: [.init("nodes", suite)], tools: Suite("", "None", commands: []))
    let host = Host(
      environment: Environment([:]), time: time, input: Host.Stream(MemorySource([])),
      output: Host.Stream(output), errors: Host.Stream(errors))
    let result = Runner(program, host).run { () throws(Failure) in
      ["nodes", "top", "--demo", "--watch", "10"] + options
    }
    guard case .failure(let failure) = result else {
      Issue.record("a watch ends when it is interrupted")
      return
    }
    #expect(failure.kind == .interrupted)
    #expect(output.text == printed)
    #expect(errors.text.contains("this is still the last answer, next try in 10 s"))
    #expect(time.slept == [.seconds(10), .seconds(10), .seconds(10), .seconds(10)])
  }
}

private struct StillTime: TimeKeeper {
  func now() -> Timestamp { Timestamp(seconds: 1_767_225_600) }
  func uptime() -> Duration { .zero }
  func sleep(for duration: Duration) {}
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
