import Foundation
import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// Where a server listens, and what it leaves behind.
@Suite struct ListenTests {
  @Test(arguments: [
    ("127.0.0.1:7400", "127.0.0.1:7400", true), ("0.0.0.0:80", "0.0.0.0:80", false),
    ("[::1]:0", "[::1]:0", true), ("[::]:65535", "[::]:65535", false), ("localhost:1", "127.0.0.1:1", true),
    ("unix:/a/b", "unix:/a/b", true),
  ])
  func listenAddressIsParsed(_ text: String, _ address: String, _ isLoopback: Bool) throws {
    let listen = try SocketAddress(listening: text)
    #expect("\(listen)" == address)
    #expect(listen.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", ":", "7400", ":7400", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
    "127.0.0.1: 1", "::1:7400", "::1]:7400", "x::1]:7400", "[::1:7400", "[::1]", "[127.0.0.1]:1", "[]:1",
    "example.org:80", "unix:", "unix:" + String(repeating: "a", count: 108), "1.2.3.4:99999999999999999999",
  ])
  func malformedListenAddressIsUsageFailure(_ text: String) {
    #expect { try SocketAddress(listening: text) } throws: { ($0 as? Failure)?.kind == .usage }
  }

  private var router: Router { Router([ScriptedBackend("sample", routes: Sample.routes)]) }

  @Test func everyAddressIsReportedAndClosedAtTheEnd() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let sockets = ServerSockets(
      try ["unix:\(path)", "127.0.0.1:0"].map { try Listener(SocketAddress(listening: $0)) },
      metrics: try Listener(SocketAddress(listening: "127.0.0.1:0")))
    let ports = sockets.all.compactMap(\.address.port)
    let server = try Server(router, on: sockets, ServerConfiguration(time: FakeClock()))
    #expect(server.url == "unix:\(path)" && server.address == sockets.service[0].address)
    #expect(server.urls == ["unix:\(path)", "http://127.0.0.1:\(ports[0])"])
    #expect(server.metricsURL == "http://127.0.0.1:\(ports[1])/metrics")
    let client = try Client(to: server.address)
    for _ in 0..<3 { try server.runTurn(waitingAtMost: .milliseconds(1)) }
    #expect(server.connections.count == 1)
    server.closeAll()
    // The child of another test may hold the socket until it executes its program.
    try client.receive { $0.isClosed }
    #expect(scratch.names == [])
  }

  /// A file of the disk is no event.
  @Test func failedStartClosesListeners() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("", to: "file")
    let file = unsafe open(scratch.file("file"), O_RDONLY)
    defer { close(file) }
    var configuration = ServerConfiguration(time: FakeClock())
    configuration.stopSignal = FileDescriptor(rawValue: file)
    let sockets = ServerSockets([try Listener(SocketAddress(listening: "unix:\(scratch.file("socket"))"))])
    let failure = #expect(throws: Failure.self) { try Server(router, on: sockets, configuration) }
    #expect(failure?.kind == .connection)
    #expect(failure?.message.hasPrefix("cannot wait for connections: ") == true)
    #expect(scratch.names == ["file"])
  }
}
