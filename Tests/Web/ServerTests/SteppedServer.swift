import Glibc
import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// A server on a free port that takes a turn when a test says so: nothing depends on how fast the machine is.
final class SteppedServer {
  let time: FakeClock
  let server: Server

  convenience init(
    _ routes: [Route] = Sample.routes, time: FakeClock? = nil,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    try self.init([ScriptedBackend("sample", routes: routes)], time: time, configure)
  }

  init(
    _ backends: [any Backend], access: Access? = nil, workers: WorkerPool? = nil,
    on sockets: ServerSockets? = nil, time: FakeClock? = nil,
    _ configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws {
    self.time = time ?? FakeClock(Timestamp(seconds: 1_767_323_045))
    var configuration = ServerConfiguration(time: self.time)
    // For the other tests, the name of the server and the type of a body are not the point.
    configuration.origins.isPublic = true
    configure(&configuration)
    let router = Router(backends, access: access)
    let sockets = try sockets ?? ServerSockets([Listener(SocketAddress(listening: "127.0.0.1:0"))])
    server = try Server(router, workers: workers, on: sockets, configuration)
  }

  deinit { server.closeAll() }

  /// Takes turns until the client has so many responses.
  func wait(for count: Int, _ client: Client) throws {
    for _ in 0..<6000 where client.statuses.count < count && !client.isClosed {
      try server.runTurn(waitingAtMost: .milliseconds(10))
      _ = client.receive()
    }
  }

  func step(_ turns: Int = 3) throws {
    for _ in 0..<turns { try server.runTurn(waitingAtMost: .milliseconds(1)) }
  }

  /// Connects, and lets the server accept.
  func connect() throws -> Client {
    let client = try Client(to: server.address)
    try step()
    return client
  }

  /// What a client gets for these bytes; portions are turns apart.
  func exchange(_ portions: String...) throws -> Client {
    let client = try connect()
    for portion in portions { try say(portion, client) }
    return client
  }

  func say(_ text: String, _ client: Client) throws { try say(Array(text.utf8), client) }

  /// Sends, and takes turns until the server has nothing more to tell this client.
  func say(_ bytes: [UInt8], _ client: Client) throws {
    var sent = 0
    while sent < bytes.count, let count = client.trySending(bytes[sent...]) {
      sent += count
      try hear(client)
    }
    try hear(client)
  }

  /// What was sent has arrived at once, but for a busy machine: so the quiet has to last.
  func hear(_ client: Client) throws {
    var quiet = 0
    while quiet < 3, !client.isClosed {
      try server.runTurn(waitingAtMost: .milliseconds(10))
      quiet = client.receive() ? 0 : quiet + 1
    }
  }
}

/// The other end of a connection.
final class Client {
  let socket: Socket
  var received: [UInt8] = []
  private var taken = 0
  /// The server has closed.
  var isClosed = false
  private var hasGone = false
  /// How many pieces the answers came in.
  var pieces = 0

  init(to address: SocketAddress) throws {
    socket = try Socket(address.family)
    _ = try socket.connect(to: address)
  }

  deinit { close() }

  /// Goes. Only once: the number of the descriptor may then be that of another test's.
  func close() {
    guard !hasGone else { return }
    hasGone = true
    socket.close()
  }

  /// Goes without a farewell, as a program that is killed with unread bytes.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      socket.descriptor.rawValue, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Nil once the server has gone.
  func trySending(_ bytes: ArraySlice<UInt8>) -> Int? {
    do throws(SystemError) {
      return try unsafe socket.send(bytes.span.bytes)
    } catch {
      return error == .wouldBlock ? 0 : nil
    }
  }

  /// Whether anything came.
  func receive(atMost most: Int = 1 << 20) -> Bool {
    var buffer = [UInt8](repeating: 0, count: min(most, max(1, socket.unreadCount)))
    guard let count = try? socket.descriptor.read(into: &buffer) else { return false }
    if count == 0 { isClosed = true } else { pieces += 1 }
    received += buffer[0..<count]
    return true
  }

  /// Reads until it has what a test waits for.
  func receive(until hasAll: (Client) -> Bool) throws {
    try waitUntil("a client to receive its bytes") {
      _ = receive()
      return hasAll(self)
    }
  }

  var text: String { String(decoding: received, as: UTF8.self) }

  /// What came since the last call.
  func takeNew() -> String {
    defer { taken = received.count }
    return String(decoding: received[taken...], as: UTF8.self)
  }

  /// Looked for in the bytes: tests ask again and again until there are enough.
  var statuses: [Int] {
    unsafe received.withUnsafeBytes { bytes in
      var found: [Int] = []
      var start = bytes.baseAddress
      let end = unsafe start.map { $0 + bytes.count }
      while let from = unsafe start, let end,
        let next = unsafe memchr(from, Int32(UInt8(ascii: "H")), end - from)
      {
        let line = unsafe UnsafeRawBufferPointer(start: next, count: min(12, end - UnsafeRawPointer(next)))
        let text = unsafe String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/1.1 "), let status = Int(text.dropFirst(9)) { found.append(status) }
        unsafe start = UnsafeRawPointer(next) + 1
      }
      return found
    }
  }

  /// What follows the last head.
  var body: String {
    let ends = text.ranges(of: "\r\n\r\n")
    return ends.last.map { String(text[$0.upperBound...]) } ?? ""
  }

  func has(_ line: String) -> Bool { text.contains("\r\n\(line)\r\n") }
}

/// Routes that a test needs.
enum Sample {
  static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

  static let json = "Content-Type: application/json\r\n"

  static func post(_ body: String) -> String {
    "POST /echo HTTP/1.1\r\nHost: a\r\n\(json)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  static var routes: [Route] {
    [
      Route(.get, "/a") { _ in Response(200, headers: ["Content-Type": "text/plain"], body: Array("ok".utf8))
      },
      Route(.get, "/items/:id") { call in Response(200, body: Array(call["id"].utf8)) },
      Route(.post, "/echo") { call in Response(200, body: call.body) },
      Route(.delete, "/a") { _ in Response(204) },
      Route(.get, "/large/:size") { call in
        Response(200, body: [UInt8](repeating: UInt8(ascii: "x"), count: Int(call["size"]) ?? 0))
      },
      Route(.get, "/throws/:kind") { call throws(Failure) in
        throw Failure(Failure.Kind(rawValue: call["kind"]) ?? .defect, "it \"broke\" at /secret")
      },
      Route(.get, "/inject") { _ in
        Response(200, headers: ["Link": "a", "X-Name": "a\r\nX-Evil: 1\u{7F}2"], body: [])
      },
      Route(.get, "/status/:code") { call in Response(Int(call["code"]) ?? 0) },
    ]
  }
}
