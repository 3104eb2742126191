import Foundation
import Synchronization

/// A server that speaks PostgreSQL's protocol on a Unix socket, responds as a test says, and notes what it was sent: a
/// line for each message that matters.
public final class PostgreSQLDouble: Sendable {
  public enum Value: Sendable {
    case null
    case integer(Int)
    case text(String)
    case bool(Bool)

    var type: Int32 {
      switch self {
      case .integer: 20
      case .bool: 16
      case .text, .null: 25
      }
    }

    var text: String? {
      switch self {
      case .null: nil
      case .integer(let number): String(number)
      case .text(let text): text
      case .bool(let value): value ? "t" : "f"
      }
    }
  }

  public enum Response: Sendable {
    case rows([[Value]])
    /// The words that say what was done, such as "INSERT 0 1".
    case done(String)
    case error(state: String, String)
    /// The connection ends in place of a response.
    case cut
    /// The connection ends behind these rows.
    case rowsThenCut([[Value]])
    case rowsThenError([[Value]], state: String, String)

    fileprivate var rows: [[Value]] {
      switch self {
      case .rows(let rows), .rowsThenCut(let rows), .rowsThenError(let rows, _, _): rows
      case .done, .error, .cut: []
      }
    }
  }

  private struct State {
    var log: [String] = []
    /// What is left of the responses to statements that begin with a text.
    var rules: [(text: String, responses: [Response])] = []
    var refusals: [(state: String, message: String)] = []
    /// Short names for those of prepared statements, in the order in which they were first used.
    var names: [String: String] = [:]
    var connections: Set<Int32> = []
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  public let directory: ScratchDirectory
  /// The process that serves a connection, as it says itself.
  public static let process = 77
  private let queryProcess: Int
  private let shared = Shared()
  private let listener: Int32

  /// A pool has queries served by another process than that which made the connection.
  public init(queriesAreServedBy process: Int = PostgreSQLDouble.process) throws {
    queryProcess = process
    directory = try ScratchDirectory()
    listener = try Loopback.listen(at: directory.file(".s.PGSQL.5432"))
    let (listener, shared) = (listener, shared)
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        shared.state.withLock { _ = $0.connections.insert(client) }
        Thread.detachNewThread { [weak self] in
          self?.serve(Reader(client))
          // Closed by this thread alone, so that its number is not that of another connection meanwhile.
          shared.state.withLock { _ = $0.connections.remove(client) }
          close(client)
        }
      }
      close(listener)
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    shared.state.withLock { $0.connections.forEach { shutdown($0, Int32(SHUT_RDWR)) } }
  }

  public var address: String {
    "postgresql:///hw?host=\(directory.path.replacing("/", with: "%2F"))&user=hw"
  }

  /// How it responds to the next statements that begin with this text; afterwards as a server that has nothing to say.
  /// "PREPARE " before the text stands for the preparation.
  public func respond(to text: String, _ responses: Response...) {
    shared.state.withLock { $0.rules.append((text, responses)) }
  }

  /// The next connections are refused.
  public func refuse(_ state: String, _ message: String, times: Int = 1) {
    shared.state.withLock { $0.refusals += Array(repeating: (state, message), count: times) }
  }

  /// What was noted since the last question.
  public func takeLog() -> [String] {
    shared.state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  /// Puts a line of the test among the messages.
  public func noteMark(_ text: String) { note("  (\(text))") }

  // MARK: A connection

  private func note(_ line: String) { shared.state.withLock { $0.log.append(line) } }

  /// The name of a prepared statement, as the log has it.
  private func short(_ name: String) -> String {
    shared.state.withLock { state in
      if let short = state.names[name] { return short }
      let short = "s\(state.names.count + 1)"
      state.names[name] = short
      return short
    }
  }

  private func serve(_ reader: Reader) {
    guard reader.start() else { return }
    if let refusal = shared.state.withLock({ $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }) {
      note("connect: refused, \(refusal.state)")
      return reader.send(Message.error(refusal.state, refusal.message))
    }
    note("connect")
    reader.send(
      Message("R").int32(0) + Message("S").text("client_encoding").text("UTF8")
        + Message("S").text("server_version").text("15.0") + Message("S").text("in_hot_standby").text("off")
        + Message("S").text("default_transaction_read_only").text("off")
        + Message("K").int32(Int32(PostgreSQLDouble.process)).int32(1) + Message("Z").byte("I"))
    var statements: [String: String] = [:]
    var response = Response.done("")
    var isSkipping = false
    while let (kind, body) = reader.next() {
      var out = Message()
      var body = body
      switch kind {
      case "X": return note("end")
      case "S":
        isSkipping = false
        note("  sync")
        out = Message("Z").byte("I")
      case _ where isSkipping: continue
      case "P":
        let (name, sql) = (body.text(), body.text())
        statements[name] = sql
        if name.isEmpty {
          out = Message("1")
        } else {
          note("  prepare \(short(name)): \(PostgreSQLDouble.line(sql))")
          if case .error(let state, let message)? = planned("PREPARE \(sql)") {
            out = Message.error(state, message)
            isSkipping = true
          } else {
            out = Message("1")
          }
        }
      case "B":
        _ = body.text()
        let name = body.text()
        let values = body.values()
        let sql = statements[name] ?? ""
        let shown = values.isEmpty ? "" : " (\(values.map { $0 ?? "null" }.joined(separator: ", ")))"
        note("  \(name.isEmpty ? PostgreSQLDouble.line(sql) : short(name))\(shown)")
        response = planned(sql) ?? usual(sql)
        switch response {
        case .error(let state, let message):
          out = Message.error(state, message)
          isSkipping = true
        case .cut: return
        default: out = Message("2")
        }
      case "D": out = Message.description(of: response)
      case "E":
        out = Message.result(response)
        switch response {
        case .rowsThenCut: return reader.send(out)
        case .rowsThenError: isSkipping = true
        default: break
        }
      case "Q":
        let script = body.text()
        note("  script: \(PostgreSQLDouble.line(script))")
        switch planned(script) {
        case .error(let state, let message)?: out = Message.error(state, message) + Message("Z").byte("I")
        case .cut?: return
        default: out = Message("C").text("DO") + Message("Z").byte("I")
        }
      default: note("  message \(kind)")
      }
      reader.send(out)
    }
  }

  private func planned(_ sql: String) -> Response? {
    shared.state.withLock { state in
      guard let index = state.rules.firstIndex(where: { sql.hasPrefix($0.text) && !$0.responses.isEmpty })
      else { return nil }
      return state.rules[index].responses.removeFirst()
    }
  }

  private static func line(_ sql: String) -> String {
    let line = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.count > 90 ? "\(line.prefix(90))…" : line
  }

  /// As a server responds that has nothing to say.
  private func usual(_ sql: String) -> Response {
    if sql.contains("server_encoding") {
      return .rows([
        [.text("UTF8"), .text("off"), .text("history 1"), .integer(queryProcess), .text("public")]
      ])
    }
    if sql.hasPrefix("SELECT pg_catalog.txid_current(),") {
      return .rows([[.integer(501), .text(""), .text("")]])
    }
    if sql.contains("advisory_xact_lock") { return .rows([[.bool(true)]]) }
    if sql.hasPrefix("SELECT") { return .rows([[.integer(1)], [.integer(2)]]) }
    let word = String(sql.prefix { $0 != " " })
    return .done(word == "INSERT" ? "INSERT 0 1" : ["UPDATE", "DELETE"].contains(word) ? "\(word) 1" : word)
  }
}

/// Messages as the client sends them.
private final class Reader {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Reads the message that begins a connection.
  func start() -> Bool {
    guard var length = bytes(4).map(Fields.init), let rest = bytes(Int(length.int32()) - 4) else {
      return false
    }
    return rest.count >= 4
  }

  func next() -> (Character, Fields)? {
    guard let kind = bytes(1)?.first, var length = bytes(4).map(Fields.init),
      let body = bytes(Int(length.int32()) - 4)
    else { return nil }
    return (Character(Unicode.Scalar(kind)), Fields(body))
  }

  func send(_ message: Message) {
    let bytes = message.complete
    _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private func bytes(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
      }
      guard more > 0 else { return nil }
      filled += more
    }
    return bytes
  }
}

private struct Fields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func int32() -> Int32 { Int32(bitPattern: number(4)) }
  mutating func int16() -> Int { Int(number(2)) }

  private mutating func number(_ count: Int) -> UInt32 {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func text() -> String {
    let bytes = rest.prefix { $0 != 0 }
    rest = rest.dropFirst(bytes.count + 1)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Those of a Bind message, after its names.
  mutating func values() -> [String?] {
    for _ in 0..<int16() { _ = int16() }
    return (0..<int16()).map { _ in
      let count = int32()
      guard count >= 0 else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
    }
  }
}

/// Messages as the server sends them.
private struct Message {
  private var done: [UInt8] = []
  private var open: (kind: UInt8, body: [UInt8])?

  init() {}
  init(_ kind: Character) { open = (kind.asciiValue ?? 0, []) }

  func byte(_ value: Character) -> Message { adding([value.asciiValue ?? 0]) }
  func int16(_ value: Int) -> Message { adding([UInt8(value >> 8 & 255), UInt8(value & 255)]) }
  func text(_ text: String) -> Message { adding(Array(text.utf8) + [0]) }
  func int32(_ value: Int32) -> Message {
    adding((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
  }

  private func adding(_ bytes: [UInt8]) -> Message {
    var message = self
    message.open?.body += bytes
    return message
  }

  var complete: [UInt8] {
    guard let open else { return done }
    let length = Int32(open.body.count + 4)
    return done + [open.kind] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + open.body
  }

  static func + (a: Message, b: Message) -> Message {
    var message = Message()
    message.done = a.complete + b.complete
    return message
  }

  static func error(_ state: String, _ text: String) -> Message {
    Message("E").byte("S").text("ERROR").byte("V").text("ERROR").byte("C").text(state).byte("M").text(text)
      .byte("\0")
  }

  static func description(of response: PostgreSQLDouble.Response) -> Message {
    guard let first = response.rows.first else { return Message("n") }
    var message = Message("T").int16(first.count)
    for (index, value) in first.enumerated() {
      message = message.text("c\(index)").int32(0).int16(0).int32(value.type).int16(-1).int32(-1).int16(0)
    }
    return message
  }

  static func result(_ response: PostgreSQLDouble.Response) -> Message {
    var message = Message()
    for row in response.rows {
      var line = Message("D").int16(row.count)
      for value in row {
        guard let text = value.text else {
          line = line.int32(-1)
          continue
        }
        line = line.int32(Int32(text.utf8.count)).raw(text)
      }
      message = message + line
    }
    switch response {
    case .rowsThenCut: return message
    case .rowsThenError(_, let state, let text): return message + Message.error(state, text)
    case .done(let words): return message + Message("C").text(words)
    case .rows, .error, .cut: return message + Message("C").text("SELECT \(response.rows.count)")
    }
  }

  private func raw(_ text: String) -> Message { adding(Array(text.utf8)) }
}
