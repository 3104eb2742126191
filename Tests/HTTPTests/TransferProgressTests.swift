import Synchronization
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct TransfersAreObserved {
  private final class Record: Sendable {
    let updates = Mutex<[TransferProgress]>([])
    let ends = Mutex(0)
  }

  @Test(
    "By both transports, to the end",
    arguments: ["http://127.0.0.1"] + (hasCurl ? ["http://scores.invalid"] : []))
  func both(host: String) throws {
    let size = 300_000
    let server = try ScriptedServer(answering: ok(String(repeating: "x", count: size)))
    defer { server.stop() }
    let record = Record()
    let network = Network(
      environment: Environment(["http_proxy": "http://127.0.0.1:\(server.port)"]), limits: TimeLimits(),
      time: SystemTime(),
      observer: TransferObserver(
        update: { progress in record.updates.withLock { $0.append(progress) } },
        end: { record.ends.withLock { $0 += 1 } })
    ) { _ in }
    let body = try network.send(Request(.get, URL("\(host):\(server.port)/"))).body
    #expect(body.count == size)
    let updates = record.updates.withLock { $0 }
    let last = try #require(updates.last)
    #expect(last.received == size && last.total == size)
    #expect(updates.allSatisfy { $0.received <= size && $0.elapsed >= .zero })
    #expect(record.ends.withLock { $0 } == 1)
  }

  @Test(
    "Without a length there is no total, and the time begins with the request",
    arguments: ["http://127.0.0.1"] + (hasCurl ? ["http://scores.invalid"] : []))
  func withoutALength(host: String) throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\n\r\nabc")
    defer { server.stop() }
    let record = Record()
    let network = Network(
      environment: Environment(["http_proxy": "http://127.0.0.1:\(server.port)"]), limits: TimeLimits(),
      time: FakeClock(),
      observer: TransferObserver(
        update: { progress in record.updates.withLock { $0.append(progress) } }, end: {})
    ) { _ in }
    #expect(try network.send(Request(.get, URL("\(host):\(server.port)/"))).string == "abc")
    let updates = record.updates.withLock { $0 }
    #expect(updates.last?.received == 3)
    #expect(updates.allSatisfy { $0.total == nil && $0.elapsed == .zero })
  }

  /// An observer is called while nothing comes; that is not the end of the patience for the response.
  @Test func aPauseIsObserved() throws {
    let server = try ScriptedServer { conversation in
      conversation.read()
      conversation.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc")
      try? SystemTime().sleep(for: .milliseconds(1500))
      conversation.write("def")
    }
    defer { server.stop() }
    let record = Record()
    let network = Network(
      environment: Environment([:]), limits: TimeLimits(), time: SystemTime(),
      observer: TransferObserver(
        update: { progress in record.updates.withLock { $0.append(progress) } },
        end: {})
    ) { _ in }
    #expect(try network.send(Request(.get, server.url)).body == Array("abcdef".utf8))
    #expect(record.updates.withLock { $0 }.contains { $0.received == 3 && $0.elapsed >= .seconds(1) })
  }

  @Test func anObservedTransferHasItsTimeLimit() throws {
    let server = try ScriptedServer { $0.fallSilent() }
    defer { server.stop() }
    let network = Network(
      environment: Environment([:]), limits: TimeLimits(attempt: .milliseconds(100)), time: SystemTime(),
      observer: TransferObserver(update: { _ in }, end: {})
    ) { _ in }
    let failure = #expect(throws: Failure.self) { try network.send(Request(.get, server.url)) }
    #expect(failure?.message == "no response from '127.0.0.1:\(server.port)' within 0.1 s")
  }

  @Test func aFailureEndsTheObservation() throws {
    let server = try ScriptedServer(answering: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
    defer { server.stop() }
    let record = Record()
    let network = Network(
      environment: Environment([:]), limits: TimeLimits(), time: SystemTime(),
      observer: TransferObserver(update: { _ in }, end: { record.ends.withLock { $0 += 1 } })
    ) { _ in }
    #expect(throws: Failure.self) { try network.send(Request(.get, server.url)) }
    #expect(record.ends.withLock { $0 } == 1)
  }
}
