import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// A handler that has done a part of its work is called again, and the requests of others are answered before.
@Suite struct UnfinishedWork {
  @Test func othersAreServedBetweenTheParts() throws {
    final class Work { var parts = 0, served: [String] = [] }
    let work = Work()
    let stepped = try SteppedServer([
      Route(.get, "/long") { _ throws(Failure) in
        work.parts += 1
        if work.parts < 50 { throw .unfinished }
        work.served.append("long")
        return Response(200)
      },
      Route(.get, "/short") { _ throws(Failure) in
        work.served.append("short")
        return Response(200)
      },
    ])
    let (slow, quick) = (try stepped.connect(), try stepped.connect())
    _ = slow.trySending(Array("GET /long HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
    while work.parts == 0 { try stepped.step(1) }
    _ = quick.trySending(Array("GET /short HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
    try stepped.wait(for: 1, quick)
    // However long the work takes, it is not given up as a request that waits for a lock is.
    for _ in 0..<400 where slow.statuses.isEmpty {
      stepped.time.advance(by: .seconds(1))
      try stepped.step(1)
      _ = slow.receive()
    }
    #expect(quick.statuses == [200] && slow.statuses == [200])
    #expect(work.parts == 50 && work.served == ["short", "long"])
  }
}
