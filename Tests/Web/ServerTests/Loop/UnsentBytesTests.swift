import System
import TestSupport
import Testing

@testable import Server

/// The account of unsent bytes: which bodies are one object, and what is left of those that ended.
@Suite struct UnsentBytesTests {
  private func body(_ byte: UInt8, _ count: Int = 100) -> [UInt8] { [UInt8](repeating: byte, count: count) }

  @Test func equalBodiesCountOnce() {
    let account = UnsentBytes()
    var held = [account.share(body(1)), account.share(body(1))]
    #expect(held[0] === held[1] && account.count == 100)
    held.append(account.share(body(2)))
    held.append(account.share(body(1, 50)))
    #expect(held[2] !== held[0] && held[2].bytes == body(2) && account.count == 250)
    // The bytes of one connection are its own.
    held.append(account.hold(body(1)))
    #expect(held[4] !== held[0] && account.count == 350)
    let isShared = account.share(body(1)) === held[0]
    #expect(isShared && account.count == 350)
    held.remove(at: 0)
    #expect(account.count == 350, "the second holds it")
    held.remove(at: 0)
    #expect(account.count == 250)
    held = []
    #expect(account.count == 0)
  }

  @Test func onlyTheFourLatestOfASizeAreCompared() {
    let account = UnsentBytes()
    let held = (1...5).map { account.share(body($0)) }
    #expect(account.count == 500)
    for index in 1...4 { #expect(account.share(body(UInt8(index + 1))) === held[index]) }
    let again = account.share(body(1))
    #expect(again !== held[0])
    #expect(account.count == 600)
    // Now the second is the fifth latest.
    let (isThirdFound, isSecondFound) = (
      account.share(body(3)) === held[2], account.share(body(2)) === held[1]
    )
    #expect(isThirdFound && !isSecondFound)
    withExtendedLifetime((held, again)) {}
  }

  @Test func otherBodiesOfSizeAreFoundAfterOneIsFreed() {
    let account = UnsentBytes()
    var held = (1...3).map { account.share(body($0)) }
    held.remove(at: 1)
    #expect(account.count == 200)
    #expect(account.share(body(1)) === held[0] && account.share(body(3)) === held[1])
    let again = account.share(body(2))
    #expect(account.count == 300)
    #expect(again.bytes == body(2))
    withExtendedLifetime((held, again)) {}
  }

  private func pair() throws -> (socket: Socket, client: Client, listener: Listener) {
    let listener = try Listener(SocketAddress(listening: "127.0.0.1:0"))
    let client = try Client(to: listener.address)
    return (try waitFor("the connection") { try? listener.accept().socket }, client, listener)
  }

  /// Two pieces at a time, and no more than the limit.
  @Test func piecesAreSentInTheirOrder() throws {
    let (socket, client, listener) = try pair()
    defer {
      socket.close()
      listener.close()
    }
    let account = UnsentBytes()
    var output = UnsentOutput()
    #expect(try output.send(to: socket, atMost: 9) == 0 && output.isEmpty)
    output.append(account.hold(Array(0..<10)), sent: 4)
    output.append(account.hold(Array(10..<15)))
    output.append(account.hold(Array(15..<20)))
    var left: [Int] = []
    for (limit, count) in [(3, 3), (3, 3), (100, 10), (100, 0)] {
      #expect(try output.send(to: socket, atMost: limit) == count)
      left.append(account.count)
    }
    #expect(left == [20, 10, 0, 0] && output.isEmpty)
    // What comes next begins with its first byte.
    output.append(account.hold([20, 21]))
    #expect(try output.send(to: socket, atMost: 1) == 1)
    output.clear()
    #expect(output.isEmpty && account.count == 0)
    try client.receive { $0.received.count >= 17 }
    #expect(client.received == Array(4...20))
  }

  @Test func aFullSocketTakesNothing() throws {
    let (socket, client, listener) = try pair()
    defer {
      socket.close()
      listener.close()
    }
    let bytes = body(7, 1 << 20)
    var sent = 0
    var last = 1
    for _ in 0..<1000 where last > 0 {
      last = try socket.send(bytes, then: [], from: 0)
      sent += last
    }
    #expect(last == 0)
    try client.receive { $0.received.count >= sent }
    #expect(client.received.count == sent)
  }
}
