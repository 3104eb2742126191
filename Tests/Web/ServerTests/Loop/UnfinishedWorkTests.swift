import Foundation
import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// A handler that has done a part of its work is called again, and the requests of others are answered before.
@Suite struct UnfinishedHandlers {
  @Test func otherRequestsAreServedBetweenParts() throws {
    final class Work { var parts = 0, served: [String] = [] }
    let work = Work()
    let stepped = try SteppedServer([
      Route(
        .get, "/long",
        reply: { _ in
          work.parts += 1
          if work.parts < 50 { return .unfinished }
          work.served.append("long")
          return .response(Response(200))
        }),
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

  /// Work that is not finished is no lock, which would hold up the work after it.
  @Test func unfinishedHandlersAlternate() throws {
    final class Work { var parts: [String] = [], isEnough = false }
    let work = Work()
    let stepped = try SteppedServer([
      Route(
        .get, "/long/:name",
        reply: { call in
          work.parts.append(call["name"])
          return work.isEnough ? .response(Response(200)) : .unfinished
        })
    ])
    let (first, second) = (try stepped.connect(), try stepped.connect())
    try stepped.say("GET /long/a HTTP/1.1\r\nHost: a\r\n\r\n", first)
    for _ in 0..<1000 where work.parts.count < 2 { try stepped.step(1) }
    try stepped.say("GET /long/b HTTP/1.1\r\nHost: a\r\n\r\n", second)
    for _ in 0..<1000 where work.parts.count < 3 { try stepped.step(1) }
    #expect(work.parts == ["a", "a", "b"])
    stepped.time.advance(by: .milliseconds(5))
    try stepped.step()
    #expect(work.parts == ["a", "a", "b", "a", "b"])
    work.isEnough = true
    stepped.time.advance(by: .milliseconds(5))
    for client in [first, second] { try stepped.wait(for: 1, client) }
    #expect(first.statuses == [200] && second.statuses == [200])
    #expect(work.parts == ["a", "a", "b", "a", "b", "a", "b"])
  }

  @Test func workWithoutItsClientIsGivenUp() throws {
    final class Work { var parts = 0 }
    let work = Work()
    let stepped = try SteppedServer([
      Route(
        .get, "/long",
        reply: { _ in
          work.parts += 1
          return .unfinished
        })
    ])
    let client = try stepped.connect()
    _ = client.trySending(Array("GET /long HTTP/1.1\r\nHost: a\r\n\r\n".utf8)[...])
    while work.parts == 0 { try stepped.step(1) }
    client.reset()
    // A busy system delivers the reset late.
    var before = 0
    for _ in 0..<10_000 where before != work.parts {
      before = work.parts
      stepped.time.advance(by: .seconds(1))
      try stepped.step(1)
    }
    #expect(before == work.parts)
  }
}
