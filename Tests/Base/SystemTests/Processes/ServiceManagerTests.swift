import Foundation
import TestSupport
import Testing

@testable import System

/// The protocols of systemd, seen from its side.
@Suite struct ServiceManagerTests {
  private func manager(_ variables: [String: String], process: Int32 = 7) throws -> ServiceManager {
    try ServiceManager(Environment(variables), process: process)
  }

  @Test func socketsAreForOneProcess() throws {
    let variables = ["LISTEN_PID": "7", "LISTEN_FDS": "3"]
    #expect(try manager(variables).sockets == 3..<6)
    #expect(try manager(variables, process: 8).sockets.isEmpty)
    for (pid, count) in [("7", "0"), ("", "1"), ("x", "1"), ("7", "x"), ("7", ""), ("-7", "1")] {
      #expect(try manager(["LISTEN_PID": pid, "LISTEN_FDS": count]).sockets.isEmpty, "\(pid) \(count)")
    }
    for count in ["-1", "65", "2000000000"] {
      let refusal = failure { try manager(["LISTEN_PID": "7", "LISTEN_FDS": count]) }
      #expect(refusal == Failure(.usage, "LISTEN_FDS is \(count), and at most 64 sockets are possible"))
    }
    #expect(try manager(["LISTEN_PID": "7", "LISTEN_FDS": "64"]).sockets == 3..<67)
  }

  @Test func theWatchdogNeedsTheSocketAndThisProcess() throws {
    let socket = ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "3000000"]
    #expect(try manager(socket).watchdogInterval == .milliseconds(1500))
    #expect(try manager(socket.merging(["WATCHDOG_PID": "7"]) { $1 }).watchdogInterval != nil)
    #expect(try manager(socket.merging(["WATCHDOG_PID": "8"]) { $1 }).watchdogInterval == nil)
    #expect(try manager(["WATCHDOG_USEC": "3000000"]).watchdogInterval == nil)
    // Every millisecond at most.
    for (period, interval) in [("1", 1000), ("2001", 1000), ("2002", 1001)] {
      let variables = ["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": period]
      #expect(try manager(variables).watchdogInterval == .microseconds(interval))
    }
    for period in ["0", "-5", "x"] {
      #expect(try manager(["NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": period]).watchdogInterval == nil)
    }
  }

  /// A datagram socket at that name; `@` is the abstract namespace.
  private func receiver(_ name: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    let address = try #require(
      name.hasPrefix("@")
        ? SocketAddress(abstractName: String(name.dropFirst())) : SocketAddress(unixPath: name))
    let bound = unsafe address.withSockaddr { unsafe bind(descriptor, $0, $1) }
    #expect(bound == 0)
    return descriptor
  }

  @Test(arguments: [true, false]) func statesArriveAtTheSocket(_ isAbstract: Bool) throws {
    let scratch = try ScratchDirectory()
    let name = isAbstract ? "@hw-test-\(UUID().uuidString)" : scratch.file("notify")
    let descriptor = try receiver(name)
    defer { close(descriptor) }
    let manager = try manager(["NOTIFY_SOCKET": name])
    for state in [ServiceManager.State.ready, .alive, .stopping] {
      manager.notify(state)
      var buffer = [UInt8](repeating: 0, count: 100)
      let count = unsafe recv(descriptor, &buffer, 100, Int32(MSG_DONTWAIT))
      #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == state.rawValue)
    }
  }

  @Test func notificationDoesNotBlock() throws {
    let scratch = try ScratchDirectory()
    let descriptor = try receiver(scratch.file("notify"))
    defer { close(descriptor) }
    let manager = try manager(["NOTIFY_SOCKET": scratch.file("notify")])
    for _ in 0..<5000 { manager.notify(.alive) }
    // Neither does one that is not there, or whose name is impossible.
    for name in ["/nowhere/at/all", "@", String(repeating: "x", count: 200)] {
      try self.manager(["NOTIFY_SOCKET": name]).notify(.ready)
    }
  }

  @Test func theFileOfAnInheritedSocketStays() throws {
    let scratch = try ScratchDirectory()
    let descriptor = try Loopback.listen(at: scratch.file("s"))
    let listener = try Listener(inherited: descriptor)
    #expect(listener.address.path == scratch.file("s"))
    listener.close()
    #expect(scratch.names().contains("s"))
  }
}
