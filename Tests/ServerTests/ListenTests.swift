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
    ("[::1]:0", "[::1]:0", true),
    ("[::]:65535", "[::]:65535", false), ("localhost:1", "127.0.0.1:1", true),
    ("unix:/a/b", "unix:/a/b", true),
  ])
  func reads(_ text: String, _ address: String, _ isLoopback: Bool) throws {
    let listen = try ListenAddress(text)
    #expect("\(listen.socket)" == address)
    #expect(listen.isLoopback == isLoopback)
  }

  @Test(arguments: [
    "", ":", "7400", ":7400", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
    "127.0.0.1: 1", "::1:7400", "::1]:7400", "x::1]:7400", "[::1:7400", "[::1]", "[127.0.0.1]:1", "[]:1",
    "example.org:80",
    "unix:",
    "unix:" + String(repeating: "a", count: 108), "1.2.3.4:99999999999999999999",
  ])
  func refuses(_ text: String) {
    #expect { try ListenAddress(text) } throws: { ($0 as? Failure)?.kind == .usage }
  }

  @Test func aFreePortIsPickedAndTold() throws {
    let stepped = try SteppedServer()
    #expect(try #require(stepped.server.address.port) != 0)
    #expect(stepped.server.url == "http://127.0.0.1:\(stepped.server.address.port ?? 0)")
  }

  @Test func anAddressInUseIsSaid() throws {
    let stepped = try SteppedServer()
    #expect { try Listener(stepped.server.address) } throws: {
      let failure = $0 as? Failure
      return failure?.kind == .connection && failure?.message.hasSuffix("it is in use") == true
    }
  }

  @Test func aSocketFileIsItsOwnersAndGoesWithTheServer() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let listener = try Listener(ListenAddress("unix:\(path)").socket)
    var facts = stat()
    #expect(unsafe lstat(path, &facts) == 0)
    #expect(facts.st_mode & 0o777 == 0o600)
    let client = try Client(to: listener.address)
    let accepted = try listener.accept().socket
    accepted.close()
    #expect(client.receive() && client.isClosed)
    listener.close()
    #expect(unsafe lstat(path, &facts) != 0)
  }

  @Test func aStaleSocketFileIsReplacedAndALiveOneIsNot() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let address = try ListenAddress("unix:\(path)").socket
    let first = try Listener(address)
    #expect(throws: Failure.self) { try Listener(address) }
    first.descriptor.close()
    let second = try Listener(address)
    second.close()
  }

  @Test func aFileThatTookItsPlaceStays() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let listener = try Listener(ListenAddress("unix:\(path)").socket)
    let other = try Listener(ListenAddress("unix:\(path)2").socket)
    #expect(unsafe rename("\(path)2", path) == 0)
    listener.close()
    #expect(unsafe unlink(path) == 0)
    other.close()
  }

  @Test func aFileOfAnotherKindStays() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let file = try #require(unsafe fopen(path, "w"))
    unsafe fclose(file)
    #expect(throws: Failure.self) { try Listener(ListenAddress("unix:\(path)").socket) }
    #expect(unsafe unlink(path) == 0)
  }

  private var router: Router { Router([Backend("sample", routes: Sample.routes)]) }

  @Test func eachAddressIsToldAndEndsWithTheServer() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let sockets = ServerSockets(
      try ["unix:\(path)", "127.0.0.1:0"].map { try Listener(ListenAddress($0).socket) },
      metrics: try Listener(ListenAddress("127.0.0.1:0").socket))
    let ports = sockets.all.compactMap(\.address.port)
    let server = try Server(router, on: sockets, ServerConfiguration(time: FakeClock()))
    #expect(server.url == "unix:\(path)" && server.address == sockets.service[0].address)
    #expect(server.urls == ["unix:\(path)", "http://127.0.0.1:\(ports[0])"])
    #expect(server.metricsURL == "http://127.0.0.1:\(ports[1])/metrics")
    let client = try Client(to: server.address)
    for _ in 0..<3 { try server.runTurn(waitingAtMost: .milliseconds(1)) }
    #expect(server.connections.count == 1)
    server.closeAll()
    #expect(client.receive() && client.isClosed && scratch.names == [])
  }

  @Test func aServerWithoutMetricsHasNoAddressForThem() throws {
    #expect(try SteppedServer().server.metricsURL == nil)
  }

  /// A file of the disk is no event.
  @Test func aServerThatCannotWaitListensNoMore() throws {
    let scratch = try ScratchDirectory()
    try scratch.write("", to: "file")
    let file = unsafe open(scratch.file("file"), O_RDONLY)
    defer { close(file) }
    var configuration = ServerConfiguration(time: FakeClock())
    configuration.stopSignal = FileDescriptor(rawValue: file)
    let sockets = ServerSockets([try Listener(ListenAddress("unix:\(scratch.file("socket"))").socket)])
    let failure = #expect(throws: Failure.self) { try Server(router, on: sockets, configuration) }
    #expect(failure?.kind == .connection)
    #expect(failure?.message.hasPrefix("cannot wait for connections: ") == true)
    #expect(scratch.names == ["file"])
  }
}
