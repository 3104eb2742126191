import TestSupport
import Testing

@testable import System

/// Two ends of a connection, neither of which ever waits by itself.
@Suite struct SocketTests {
  private let scratch: ScratchDirectory
  private let listener: Listener
  private let client: Socket
  private let server: Socket

  init() throws {
    scratch = try ScratchDirectory()
    listener = try Listener(try #require(SocketAddress(unixPath: scratch.file("socket"))))
    client = try Socket(.unix)
    try #require(try client.connect(to: listener.address))
    server = try listener.accept().socket
  }

  private func close() {
    for descriptor in [client.descriptor, server.descriptor, listener.descriptor] { descriptor.close() }
  }

  private func send(_ text: String) throws(SystemError) -> Int {
    try client.send(Array(text.utf8).span.bytes)
  }

  @Test func acceptWithoutClientWouldBlock() throws {
    defer { close() }
    #expect(throws: SystemError.wouldBlock) { try listener.accept() }
    #expect(client.connectionError == nil && server.connectionError == nil)
  }

  @Test func bytesArriveInTheirOrder() throws {
    defer { close() }
    var buffer = [UInt8](repeating: 0, count: 4)
    #expect(throws: SystemError.wouldBlock) { try server.descriptor.read(into: &buffer) }
    #expect(client.bufferedCount == 0 && server.unreadCount == 0)
    #expect(try send("hello") == 5)
    #expect(server.unreadCount == 5 && client.bufferedCount > 0)
    #expect(try server.descriptor.read(into: &buffer) == 4)
    #expect(buffer == Array("hell".utf8) && server.unreadCount == 1)
    #expect(try server.descriptor.read(into: &buffer) == 1)
    #expect(client.bufferedCount == 0 && server.unreadCount == 0)
  }

  @Test(arguments: [("ab", "cd"), ("ab", ""), ("", "cd"), ("", "")])
  func twoPiecesAreSentAtOnce(first: String, second: String) throws {
    defer { close() }
    let (head, body) = (Array(first.utf8), Array(second.utf8))
    #expect(try client.send(head.span.bytes, then: body.span.bytes) == head.count + body.count)
    #expect(try send("!") == 1)
    var buffer = [UInt8](repeating: 0, count: 10)
    let received = try server.descriptor.read(into: &buffer)
    #expect(String(decoding: buffer[..<received], as: UTF8.self) == "\(first)\(second)!")
  }

  @Test func oneDirectionEndsAlone() throws {
    defer { close() }
    client.finishSending()
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(try server.descriptor.read(into: &buffer) == 0)
    #expect(try server.send(Array("late".utf8).span.bytes) == 4)
    #expect(try client.descriptor.read(into: &buffer) == 4)
    #expect(throws: SystemError.brokenPipe) { try send("x") }
  }

  /// On clocks that stand still.
  @Test func waitReportsReadiness() throws {
    defer { close() }
    let time = FakeClock()
    for limit in [Duration.zero, .seconds(-1)] {
      #expect(try !server.wait(for: .reading, atMost: limit, time: time))
      #expect(try server.wait(for: .writing, atMost: limit, time: time))
    }
    #expect(try send("x") == 1)
    for limit in [Duration.zero, .seconds(60)] {
      #expect(try server.wait(for: .reading, atMost: limit, time: time))
    }
    // A full connection takes no more.
    let block = [UInt8](repeating: 0, count: 1 << 16)
    #expect(throws: SystemError.wouldBlock) { while true { _ = try client.send(block.span.bytes) } }
    #expect(try !client.wait(for: .writing, atMost: .zero, time: time))
    // There is the end to read.
    server.finishSending()
    #expect(try client.wait(for: .reading, atMost: .zero, time: time))
  }

  /// A wait of several slices ends when the clock says so.
  @Test func aWaitEndsInTime() throws {
    defer { close() }
    let start = SystemTime().uptime()
    #expect(try !server.wait(for: .reading, atMost: .milliseconds(3), time: SystemTime()))
    #expect(SystemTime().uptime() - start >= .milliseconds(3))
  }

  @Test func refusedConnectionIsReported() throws {
    defer { close() }
    let port = UInt16(try Loopback.freePort())
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: port))
    let socket = try Socket(.v4)
    defer { socket.close() }
    do throws(SystemError) {
      guard try !socket.connect(to: address) else {
        Issue.record("somebody else listens")
        return
      }
      _ = try socket.wait(for: .writing, atMost: .seconds(60), time: SystemTime())
      #expect(socket.connectionError == .connectionRefused)
    } catch {
      #expect(error == .connectionRefused)
    }
    #expect(Socket(FileDescriptor(rawValue: -1)).connectionError == SystemError(EBADF))
  }

  @Test func exhaustionErrorsAreRecognized() {
    #expect([EMFILE, ENFILE, ENOBUFS, ENOMEM].allSatisfy { SystemError($0).isExhaustion })
    #expect([EAGAIN, EACCES, 0].allSatisfy { !SystemError($0).isExhaustion })
  }
}
