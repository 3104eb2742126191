import Foundation
import Glibc
import TestSupport
import Testing

@testable import System

@Suite struct ListenerTests {
  private func failure(_ address: SocketAddress) -> String? {
    TestSupport.failure { try Listener(address).close() }?.message
  }

  private func address(_ text: String) throws -> SocketAddress {
    try #require(text.hasPrefix("/") ? SocketAddress(unixPath: text) : SocketAddress(numeric: text, port: 0))
  }

  @Test(arguments: ["127.0.0.1", "::1"])
  func aPortIsFreeAgainAtOnce(host: String) throws {
    let first = try Listener(address(host))
    #expect(first.address.host == host && first.address.port != 0 && !first.isInherited)
    #expect(
      TestSupport.failure { try Listener(first.address) }
        == Failure(
          .connection, "cannot listen on '\(first.address)': it is in use",
          hint: "stop the other server, or choose another address; port 0 picks a free one"))
    // A connection that the server closes first leaves its port waiting.
    let client = try Socket(first.address.family)
    _ = try? client.connect(to: first.address)
    let server = try waitFor("a connection") { try? first.accept().socket }
    server.close()
    client.close()
    first.close()
    // A process that another test starts has the listener until its program begins; a waiting port, for a minute.
    try waitUntil("the port", within: .seconds(20)) { failure(first.address) == nil }
  }

  @Test func ipv6ListenerDoesNotAcceptIPv4() throws {
    // Another program may have the port of one of them.
    let isAlone = try (0..<5).contains { _ in
      let listener = try Listener(try address("::"))
      defer { listener.close() }
      let port = try #require(listener.address.port)
      return failure(try #require(SocketAddress(numeric: "127.0.0.1", port: port))) == nil
    }
    #expect(isAlone)
  }

  @Test func aSocketFileIsItsOwnersWhateverTheUmask() async throws {
    let scratch = try ScratchDirectory()
    await #expect(processExitsWith: .success) { [path = scratch.file("socket") as String] in
      for mask in [0, 0o777] as [mode_t] {
        umask(mask)
        let listener = try Listener(try #require(SocketAddress(unixPath: path)))
        #expect(try mode(path) == 0o600)
        listener.close()
      }
    }
  }

  /// Linux lets one connection more wait than the backlog says.
  @Test func socketFileOfBusyServerIsInUse() throws {
    let scratch = try ScratchDirectory()
    let listener = try Listener(address(scratch.file("socket")), backlog: 0)
    defer { listener.close() }
    let client = try Socket(.unix)
    defer { client.close() }
    _ = try client.connect(to: listener.address)
    let another = try Socket(.unix)
    defer { another.close() }
    #expect(throws: SystemError.wouldBlock) { _ = try another.connect(to: listener.address) }
    #expect(failure(listener.address) == "cannot listen on '\(listener.address)': it is in use")
  }

  @Test func fileOfDeadServerIsReplacedAndEndsWithItsListener() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let dead = try Listener(address(path))
    dead.descriptor.close()
    #expect(FileManager.default.fileExists(atPath: path))
    let next = try Listener(address(path))
    #expect(failure(next.address) == "cannot listen on 'unix:\(path)': it is in use")
    next.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileOfAnotherKindStays() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("notes")
    try File.replace(path, with: Array("mine".utf8))
    #expect(failure(try address(path)) == "cannot listen on 'unix:\(path)': file exists")
    #expect(try File.read(path, limit: 10) == Array("mine".utf8))
  }

  /// Another server may have replaced the file.
  @Test func replacedSocketFileIsNotRemoved() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("socket")
    let first = try Listener(address(path))
    #expect(unlink(path) == 0)
    // The new file may get the number of the old one, unless something else takes it.
    try File.replace(scratch.file("between"), with: [])
    let second = try Listener(address(path))
    first.close()
    #expect(FileManager.default.fileExists(atPath: path))
    second.close()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Small messages are not held back until there are more.
  @Test func socketsHaveNoDelay() throws {
    func isDelayed(_ socket: Socket) -> Bool {
      var (value, length) = (Int32(0), socklen_t(4))
      return unsafe getsockopt(
        socket.descriptor.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &length) != 0 || value == 0
    }
    let given = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listen(given, 1) == 0)
    for listener in [try Listener(address("127.0.0.1")), try Listener(inherited: given)] {
      let client = try Socket(.v4)
      _ = try? client.connect(to: listener.address)
      let (server, from) = try waitFor("a connection") { try? listener.accept() }
      #expect(!isDelayed(client) && !isDelayed(server))
      #expect(try client.localAddress() == from)
      for descriptor in [client.descriptor, server.descriptor, listener.descriptor] {
        #expect(fcntl(descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        #expect(fcntl(descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
        descriptor.close()
      }
    }
  }

  @Test func onlyAListeningStreamSocketIsInherited() throws {
    let listener = try Listener(address("127.0.0.1"))
    defer { listener.close() }
    let inherited = try Listener(inherited: listener.descriptor.rawValue)
    #expect(inherited.isInherited && inherited.address == listener.address)
    #expect(fcntl(listener.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(listener.descriptor.rawValue, F_GETFL) & O_NONBLOCK != 0)
    let plain = try Socket(.v4)
    defer { plain.close() }
    let datagram = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    let packets = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
    defer { [datagram, packets].forEach { close($0) } }
    let scratch = try ScratchDirectory()
    unsafe try address(scratch.file("packets")).withSockaddr { unsafe _ = bind(packets, $0, $1) }
    try #require(listen(packets, 1) == 0)
    for number in [plain.descriptor.rawValue, datagram, packets, 9999] {
      let failure = #expect(throws: Failure.self) { try Listener(inherited: number) }
      #expect(
        failure?.message == "descriptor \(number) of the service manager is not a listening stream socket")
    }
  }
}
