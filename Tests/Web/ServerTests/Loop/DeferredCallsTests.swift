import HTTP
import TestSupport
import Testing

@testable import Server

/// A lock of another process, met by changes in the event loop.
@Suite struct DeferredCallsTests {
  @Test func lockedWriteWaitsWhileReadsAreServed() throws {
    let script = try Script()
    let served = try SteppedServer([script.backend()])
    script.state.withLock { $0.locked = 20 }
    let (writer, reader) = (try served.connect(), try served.connect())
    try served.say(put("/write/a") + put("/write/b"), writer)
    try served.say("GET /read HTTP/1.1\r\nHost: a\r\n\r\n", reader)
    #expect(reader.statuses == [200])
    #expect(writer.statuses == [])
    for _ in 0..<30 {
      served.time.advance(by: .milliseconds(5))
      try served.step()
    }
    try served.wait(for: 2, writer)
    #expect(writer.statuses == [200, 200])
    #expect(writer.body == "b")
    #expect(script.state.withLock { $0.stored } == ["a", "b"])
  }

  private func step(_ served: SteppedServer, until isDone: () -> Bool) throws {
    for _ in 0..<1000 where !isDone() { try served.step(1) }
  }

  private func begun(_ script: Script) -> Int { script.state.withLock { $0.begun } }

  /// A change that meets a lock: it was tried when it came, and once more in the next turn.
  private func locked(_ script: Script) throws -> (SteppedServer, Client) {
    let served = try SteppedServer([script.backend()])
    script.state.withLock { $0.locked = 1_000_000 }
    let client = try served.connect()
    try served.say(put("/write/a"), client)
    try step(served) { begun(script) == 2 }
    return (served, client)
  }

  @Test func aLockedChangeIsTriedEveryFiveMilliseconds() throws {
    let script = try Script()
    let (served, client) = try locked(script)
    try served.step()
    #expect(begun(script) == 2)
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 5)
    served.time.advance(by: .milliseconds(4))
    try served.step()
    #expect(begun(script) == 2 && served.server.timeout(atMost: .milliseconds(700)) == 1)
    served.time.advance(by: .milliseconds(1))
    try served.step()
    #expect(begun(script) == 3 && served.server.timeout(atMost: .milliseconds(700)) == 5)
    script.state.withLock { $0.locked = 0 }
    served.time.advance(by: .milliseconds(5))
    try served.wait(for: 1, client)
    #expect(client.statuses == [200] && begun(script) == 4)
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 700)
  }

  @Test func atFiveSecondsTheWaitIsOver() throws {
    let script = try Script()
    let (served, client) = try locked(script)
    served.time.advance(by: .milliseconds(4990))
    try served.hear(client)
    #expect(client.statuses == [])
    served.time.advance(by: .milliseconds(10))
    try served.hear(client)
    #expect(client.statuses == [503] && begun(script) == 4)
    #expect(client.has("Retry-After: 1"))
    // The connection goes on.
    script.state.withLock { $0.locked = 0 }
    try served.say(put("/write/b"), client)
    try served.wait(for: 2, client)
    #expect(client.statuses == [503, 200])
  }

  @Test func lockHoldsUpOnlyItsBackend() throws {
    let (script, second) = (try Script(), try Script())
    let served = try SteppedServer([script.backend(), second.backend("second")])
    script.state.withLock { $0.locked = 1_000_000 }
    let clients = try (0..<3).map { _ in try served.connect() }
    for (client, path) in zip(clients, ["/stored/write/a", "/stored/write/b", "/second/write/x"]) {
      try served.say(put(path), client)
    }
    #expect(clients.map(\.statuses) == [[], [], [200]])
    script.state.withLock { $0.locked = 0 }
    served.time.advance(by: .milliseconds(5))
    for client in clients { try served.wait(for: 1, client) }
    #expect(script.state.withLock { $0.stored } == ["a", "b"])
    #expect(clients.map(\.statuses) == [[200], [200], [200]])
  }

  @Test func aChangeThatJustFitsWaitsAndAnyOtherDoesNotRun() throws {
    let request = put("/write/a")
    for (limit, statuses, count) in [(request.utf8.count, [200], 1), (request.utf8.count - 1, [503], 0)] {
      let script = try Script()
      let served = try SteppedServer([script.backend()]) { $0.incompleteLimit = limit }
      #expect(try served.exchange(request).statuses == statuses && begun(script) == count)
    }
  }

  @Test func lockedRequestOfDisconnectedClientIsDropped() throws {
    let request = put("/write/a")
    let script = try Script()
    let served = try SteppedServer([script.backend()]) { $0.incompleteLimit = request.utf8.count }
    script.state.withLock { $0.locked = 1_000_000 }
    let (first, second) = (try served.connect(), try served.connect())
    try served.say(request, first)
    try step(served) { begun(script) == 2 }
    try served.say(request, second)
    try served.wait(for: 1, second)
    #expect(second.statuses == [503] && second.has("Retry-After: 1"))
    let count = begun(script)
    first.reset()
    try step(served) { served.server.connections.count == 1 }
    served.time.advance(by: .milliseconds(5))
    try served.step()
    #expect(begun(script) == count)
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 700)
    // Its room is free again.
    script.state.withLock { $0.locked = 1 }
    try served.say(request, second)
    served.time.advance(by: .milliseconds(5))
    try served.wait(for: 2, second)
    #expect(second.statuses == [503, 200])
  }
}
