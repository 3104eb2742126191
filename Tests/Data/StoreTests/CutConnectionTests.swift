import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import Store

/// A connection that is cut at every step of a transaction: the transaction is done exactly once all the same.
@Suite("Cut connections", .needs(.postgresql)) struct CutConnectionTests {
  @Test(arguments: [CuttingProxy.Direction.toServer, .toClient])
  func afterAnyNumberOfBytesInBothDirections(_ direction: CuttingProxy.Direction) throws {
    let server = try #require(PostgreSQLServer.shared)
    let proxy = try CuttingProxy(to: "\(server.directory.path)/.s.PGSQL.5432")
    let address = try server.newSchema().replacing(
      server.directory.path.replacing("/", with: "%2F"),
      with: proxy.directory.path.replacing("/", with: "%2F"))
    let migrations = Migrations(
      "test", ["CREATE TABLE t (v INTEGER); CREATE TABLE n (v INTEGER); INSERT INTO n VALUES (0);"])
    let database = try Store(postgreSQL: address).open(migrations)
    var done = 0
    var wasCut = true
    // Until a transaction ends before the cut.
    var step = 0
    while wasCut {
      step += 1
      proxy.cut(direction, after: step * 11)
      // While the server still ends the former connection, a new one may be refused for a moment.
      try waitUntil("a transaction to succeed") {
        let result = failure {
          try database.transaction { () throws(Failure) in
            let value = try database.lock("SELECT v FROM n") { row throws(Failure) in try row[0].integer }
            try database.enqueue("UPDATE n SET v = ?", [.integer((value ?? 0) + 1)])
            try database.enqueue("INSERT INTO t VALUES (?)", [.integer(step)])
          }
        }
        #expect(result?.outcomeUnknown != true)
        return result == nil
      }
      done += 1
      wasCut = proxy.wasCut
      proxy.cut(direction, after: .max)
      #expect(try database.first("SELECT v FROM n") { row throws(Failure) in try row[0].integer } == done)
      let rows = try database.first("SELECT count(*) FROM t WHERE v = ?", [.integer(step)]) {
        row throws(Failure) in try row[0].integer
      }
      #expect(rows == 1)
    }
    #expect(done > 20)
  }
}

@Suite(.needs(.libpq)) struct InterruptedConnectingTests {
  @Test func signalEndsConnectingToServerThatDoesNotRespond() async {
    await #expect(processExitsWith: .success) {
      let directory = try ScratchDirectory()
      _ = try Loopback.listen(at: directory.file(".s.PGSQL.5432"))
      let folder = directory.path.replacing("/", with: "%2F")
      let store = try Store(postgreSQL: "postgresql://u@\(folder)/x")
      interruptThisProcess()
      #expect(throws: Interruption.failure) { _ = try store.open(Migrations("test", ["SELECT 1;"])) }
    }
  }
}

/// Passes bytes between a client and a server's Unix socket, and cuts the connection after a number of them.
final class CuttingProxy: Sendable {
  enum Direction: Sendable { case toServer, toClient }

  let directory: ScratchDirectory
  private let state = Mutex((direction: Direction.toServer, left: Int.max, wasCut: false))

  var wasCut: Bool { state.withLock { $0.wasCut } }

  func cut(_ direction: Direction, after count: Int) {
    state.withLock { $0 = (direction, count, false) }
  }

  init(to target: String) throws {
    directory = try ScratchDirectory()
    let listener = try Loopback.listen(at: directory.file(".s.PGSQL.5432"))
    let address = try #require(SocketAddress(unixPath: target))
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, self != nil else { return }
        guard let socket = try? Socket(.unix), (try? socket.connect(to: address)) == true else {
          close(client)
          continue
        }
        let server = socket.descriptor.rawValue
        _ = fcntl(server, F_SETFL, 0)
        Thread.detachNewThread { [weak self] in self?.pass(.toServer, from: client, to: server) }
        Thread.detachNewThread { [weak self] in self?.pass(.toClient, from: server, to: client) }
      }
    }
  }

  private func pass(_ direction: Direction, from source: Int32, to target: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(source, &buffer, buffer.count)
      guard count > 0 else { break }
      let allowed = state.withLock { state in
        guard state.direction == direction, !state.wasCut else { return count }
        let allowed = min(count, state.left)
        state.left -= allowed
        if allowed < count { state.wasCut = true }
        return allowed
      }
      _ = send(target, buffer, allowed, Int32(MSG_NOSIGNAL))
      if allowed < count { break }
    }
    // The descriptors stay open: their numbers must not become those of another connection meanwhile.
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }
}
