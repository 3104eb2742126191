import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Nodes

/// `hw nodes top --watch` in the process of the test, with a clock of its own.
@Suite struct WatchTests {
  /// A service that sends garbage or is overloaded may be well again the next time.
  @Test(arguments: [
    Response(200, body: Array("<html>".utf8)), Response(429, headers: ["Retry-After": "3"]), Response(503),
  ])
  func transientFailureKeepsWatching(_ trouble: Response) throws {
    let time = FakeClock.interrupted(after: 2)
    func ranking(_ alias: String) -> Response { .ranking([NodeTests.row("alias", "\"\(alias)\"")]) }
    let service = ScriptedRankings([ranking("a"), trouble, ranking("b")])
    let ran = Ran(["top", "--watch", "10", "--jsonl", "--fields", "alias"], service, time: time)
    #expect(ran.status == 130)
    #expect(
      ran.lines == [#"{"event":"added","alias":"a"}"#, #"{"event":"changed","alias":"b"}"#])
    #expect(ran.errors.contains("showing the last result, next request in 10 s"))
    #expect(time.sleeps == [.seconds(10), .seconds(10), .seconds(10)])
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
    let time = FakeClock.interrupted(after: 3)
    func ranking(_ alias: String) -> Response { .ranking([NodeTests.row("alias", "\"\(alias)\"")]) }
    let service = ScriptedRankings([ranking("a"), Response(503), ranking("b"), ranking("b")])
    let ran = Ran(["top", "--watch", "10"] + options, service, time: time)
    #expect(ran.status == 130)
    #expect(ran.output == printed)
    #expect(ran.errors.contains("showing the last result, next request in 10 s"))
    #expect(time.sleeps == [.seconds(10), .seconds(10), .seconds(10), .seconds(10)])
  }
}

extension FakeClock {
  /// It is interrupted in the sleep that follows so many.
  fileprivate static func interrupted(after count: Int) -> FakeClock {
    let left = Mutex(count)
    return FakeClock(newYear) { _ throws(Failure) in
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw Interruption.failure }
    }
  }
}
