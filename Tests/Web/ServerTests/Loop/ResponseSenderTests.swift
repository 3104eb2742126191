import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// The write side alone, with connections whose clients take as much as a test says.
@Suite final class ResponseSenderTests {
  private let clock = LoopClock(FakeClock())
  private let listener: Listener
  private let table: ConnectionTable
  private let unsent = UnsentBytes()
  private var clients: [Client] = []

  init() throws {
    listener = try Listener(SocketAddress(listening: "127.0.0.1:0"))
    table = ConnectionTable(try EventQueue(capacity: 8), countsNetworks: false)
  }

  deinit {
    for connection in table.all { table.close(connection) }
    listener.close()
  }

  private func sender(unsentLimit: Int = .max) -> ResponseSender {
    var configuration = ServerConfiguration(time: clock.time)
    configuration.unsentLimit = unsentLimit
    let sender = ResponseSender(configuration, clock, table, unsent, ExchangeLog(configuration, nil))
    sender.setDate(Timestamp(seconds: 0))
    return sender
  }

  private func connect() throws -> Connection {
    clients.append(try Client(to: listener.address))
    let socket = try waitFor("the connection") { try? listener.accept().socket }
    table.add(
      socket, from: nil, isForMetrics: false, RequestLimits(), at: clock.now,
      deadline: clock.now + .seconds(9))
    return try #require(table.all.last)
  }

  /// A connection with so many bytes that its client has not taken, of which it took some in the seconds before.
  private func waiting(
    _ count: Int = 100, for seconds: Int = 0, taken: Int = 0, isPassedOver: Bool = false
  ) throws -> Connection {
    let connection = try connect()
    connection.output.append(unsent.hold([UInt8](repeating: 0x78, count: count)))
    table.change(connection, to: .writing, waitingFor: .writing)
    connection.rate = TransferRate(at: clock.now - .seconds(seconds), buffered: 0)
    connection.rate.add(taken)
    connection.isPassedOver = isPassedOver
    return connection
  }

  private func response(_ count: Int) -> QueuedResponse {
    QueuedResponse(Response(200, body: [UInt8](repeating: 0x78, count: count)))
  }

  /// The slowest first; of those that took nothing, the one that waits longest; last those that could not send.
  @Test(arguments: [
    (500, "abcde"), (499, "abce"), (400, "abce"), (399, "abe"), (200, "ae"), (100, "e"), (0, "e"),
  ])
  func aboveTheLimitConnectionsAreClosed(limit: Int, left: String) throws {
    let connections = [
      "a": try waiting(for: 10, taken: 5000), "b": try waiting(for: 5, taken: 500), "c": try waiting(for: 20),
      "d": try waiting(for: 30), "e": try waiting(for: 40, isPassedOver: true),
    ]
    let idle = try connect()
    sender(unsentLimit: limit).enforceLimit()
    let open = connections.filter { $0.value.state == .writing }
    #expect(open.keys.sorted().joined() == left && idle.state == .reading)
    #expect(unsent.count == 100 * left.count && table.count == left.count + 1)
  }

  @Test func slowClientsAreClosedAfterHalfAMinute() throws {
    let (slow, young) = (try waiting(for: 30, taken: 29_999), try waiting(for: 29))
    let (steady, passedOver) = (try waiting(for: 30, taken: 30_000), try waiting(for: 90, isPassedOver: true))
    let idle = try connect()
    idle.rate = TransferRate(at: clock.now - .seconds(90), buffered: 0)
    sender().closeSlow()
    #expect(slow.state == .closed && idle.state == .reading)
    #expect([young, steady, passedOver].allSatisfy { $0.state == .writing })
  }

  /// The time in which others were served is not its own.
  @Test func passedOverConnectionRestartsItsRate() throws {
    let connection = try waiting(2 << 20, for: 90, isPassedOver: true)
    let sender = sender()
    sender.noteWritable(connection)
    sender.resume()
    #expect(!connection.isPassedOver && connection.state == .writing)
    #expect(connection.rate.start == clock.now)
    sender.closeSlow()
    #expect(connection.state == .writing)
  }

  /// A client does not gain time by taking a little.
  @Test func partialSendDoesNotRestartTheRate() throws {
    let connection = try waiting(4 << 20, for: 29)
    let sender = sender()
    sender.noteWritable(connection)
    sender.resume()
    #expect(connection.state == .writing && connection.rate.start == clock.now - .seconds(29))
  }

  @Test func begunBodyIsSentFirst() throws {
    let (first, second) = (try waiting(4 << 20), try waiting(4 << 20))
    let sender = sender()
    sender.noteWritable(first)
    sender.resume()
    while clients[0].receive() {}
    sender.noteWritable(second)
    sender.noteWritable(first)
    sender.resume()
    #expect(!first.isPassedOver)
  }

  /// The others wait for the next turn, and until their sockets accept more.
  @Test func aTurnSendsAMegabyteOfWhatIsLeft() throws {
    let connections = try (0..<16).map { _ in try waiting(70_000) }
    let sender = sender()
    for connection in connections { sender.noteWritable(connection) }
    sender.resume()
    // Fourteen are sent whole; the fifteenth gets the rest of the megabyte.
    let isSent = Array(repeating: true, count: 14) + [false, false]
    #expect(connections.map { $0.state == .reading } == isSent)
    #expect(connections.map(\.isPassedOver) == Array(repeating: false, count: 15) + [true])
    sender.resume()
    #expect(connections.map { $0.state == .reading } == isSent)
    try clients[14].receive { $0.received.count >= 68_576 }
    #expect(clients[14].received.count == 68_576)
    for connection in connections[14...] { sender.noteWritable(connection) }
    sender.resume()
    #expect(connections.allSatisfy { $0.state == .reading && !$0.isPassedOver } && unsent.count == 0)
  }

  /// Of a megabyte, eight bodies leave less than is sent of one.
  @Test func bodyWaitsForNextTurnWhenTurnIsFull() throws {
    let connections = try (0..<9).map { _ in try connect() }
    let (sender, last) = (sender(), connections[8])
    sender.send(connections.map { ($0, response(130_000)) })
    #expect(connections.map { $0.state == .reading } == Array(repeating: true, count: 8) + [false])
    try clients[8].receive { $0.statuses == [200] }
    #expect(clients[8].body.isEmpty)
    sender.noteWritable(last)
    sender.resume()
    #expect(last.isPassedOver && last.state == .writing)
    sender.noteWritable(last)
    sender.resume()
    #expect(last.state == .reading && unsent.count == 0)
  }

  @Test(arguments: [0, 2, 70_000])
  func aResponseThatIsSentWholeLeavesNothing(count: Int) throws {
    let connection = try connect()
    sender().send([(connection, response(count))])
    #expect(connection.state == .reading && connection.output.isEmpty && unsent.count == 0)
    try clients[0].receive { $0.body.utf8.count == count && $0.statuses == [200] }
  }

  @Test func aBodyWaitsForTheOneBeforeIt() throws {
    let (first, second) = (try connect(), try connect())
    let sender = sender()
    sender.send([(first, response(4 << 20))])
    // In the next turn as well.
    sender.resume()
    sender.send([(second, response(70_000))])
    #expect(first.state == .writing && second.state == .writing)
    try clients[1].receive { $0.statuses == [200] }
    #expect(clients[1].has("Content-Length: 70000") && clients[1].body.isEmpty)
    // A response without a large body waits for nobody.
    let third = try connect()
    sender.send([(third, response(10))])
    #expect(third.state == .reading)
    // The first is given up.
    table.close(first)
    sender.noteWritable(second)
    sender.resume()
    #expect(second.state == .reading && unsent.count == 0)
  }
}
