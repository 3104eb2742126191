import CLibraries
import System

/// Connection to a server. This file and `PostgreSQLResult` contain all unsafe uses of libpq. Connections are in
/// pipeline mode: statements are sent one after the other, and their results are read afterwards. No call waits beyond
/// its deadline.
@safe final class PostgreSQLConnection {
  private let library: PostgreSQL
  private let time: any TimeKeeper
  @unsafe private let handle: OpaquePointer
  private var prepared: Set<String> = []
  /// Whether a signal ends a wait: nothing has begun that must be finished.
  var endsOnSignal: Bool

  /// Connects; `state` of a thrown error is set if the server refused.
  init(
    _ parameters: [(keyword: String, value: String)], time: any TimeKeeper, deadline: Duration,
    endsOnSignal: Bool
  ) throws(PostgreSQLError) {
    let library: PostgreSQL
    do throws(Failure) {
      library = try PostgreSQL.load()
    } catch {
      throw PostgreSQLError(state: nil, message: error.message, isConnectionLost: true)
    }
    let names = PostgreSQLStrings(parameters.map { Optional($0.keyword) } + [nil])
    let values = PostgreSQLStrings(parameters.map { Optional($0.value) } + [nil])
    // libpq looks up the host, and reports no signal meanwhile.
    hw_begin_lookup()
    let opened = unsafe names.withPointers { names in
      unsafe values.withPointers { unsafe library.calls.pointee.connectStartParams(names, $0, 1) }
    }
    hw_end_lookup()
    guard let handle = unsafe opened else {
      throw PostgreSQLError(state: nil, message: "no memory left", isConnectionLost: true)
    }
    self.library = library
    self.time = time
    self.endsOnSignal = endsOnSignal
    unsafe self.handle = handle
    unsafe _ = library.calls.pointee.setErrorVerbosity(handle, PQERRORS_VERBOSE)
    unsafe _ = library.calls.pointee.setNoticeProcessor(handle, { _, _ in }, nil)
    try connect(deadline)
    let calls = unsafe library.calls.pointee
    guard unsafe calls.setnonblocking(handle, 1) == 0, unsafe calls.enterPipelineMode(handle) == 1 else {
      throw lost
    }
  }

  deinit { unsafe library.calls.pointee.finish(handle) }

  private func connect(_ deadline: Duration) throws(PostgreSQLError) {
    let calls = unsafe library.calls.pointee
    var progress = PGRES_POLLING_WRITING
    while true {
      switch progress {
      case PGRES_POLLING_FAILED: throw refused
      case PGRES_POLLING_OK: return
      default:
        guard !isBroken else { throw refused }
        guard try wait(writing: progress == PGRES_POLLING_WRITING, until: deadline) else {
          throw PostgreSQLError(state: nil, message: "no response in time", isConnectionLost: true)
        }
      }
      progress = unsafe calls.connectPoll(handle)
    }
  }

  /// Server process of the connection. Queries are run by another one if a pool lends its connections.
  var process: Int { unsafe Int(library.calls.pointee.backendPID(handle)) }

  /// Value of `search_path` in the address, a service file or PGOPTIONS; nil if none sets it.
  var searchPath: String? {
    unsafe library.calls.pointee.options(handle).flatMap {
      PostgreSQLOptions.searchPath(in: unsafe String(cString: $0))
    }
  }

  /// Error of a failed connection. libpq reports the SQLSTATE only in its text, as in `FATAL:  28P01: password …`.
  /// Other lines can follow, such as one that names the file with the password.
  private var refused: PostgreSQLError {
    let lines = message.split(separator: "\n").filter { !$0.hasPrefix("LOCATION:") }
    for line in lines.reversed() {
      guard let (state, reason) = PostgreSQLConnection.stateAndReason(in: line) else { continue }
      return PostgreSQLError(state: state, message: reason, isConnectionLost: true)
    }
    // libpq itself ends the attempt if the server requires a password and none is set.
    let needsPassword = unsafe library.calls.pointee.connectionNeedsPassword(handle) == 1
    return PostgreSQLError(
      state: needsPassword ? "28P01" : nil, message: lines.isEmpty ? "no reason given" : message,
      isConnectionLost: true)
  }

  private static func stateAndReason(in line: Substring) -> (state: String, reason: String)? {
    let parts = line.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let word = part.drop { $0 == " " }
      let isState = word.utf8.allSatisfy {
        $0.isASCIIDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
      }
      // FATAL has no digit.
      guard word.utf8.count == 5, isState, word.contains(where: \.isNumber) else { continue }
      return (String(word), String(parts[(index + 1)...].joined(separator: ":").drop { $0 == " " }))
    }
    return nil
  }

  private var message: String {
    unsafe library.calls.pointee.errorMessage(handle).map { unsafe String(cString: $0) } ?? ""
  }

  private var lost: PostgreSQLError {
    let text = message.isEmpty ? "the connection was lost" : message
    return PostgreSQLError(state: nil, message: text, isConnectionLost: true)
  }

  private var isBroken: Bool { unsafe library.calls.pointee.status(handle) == CONNECTION_BAD }

  // MARK: Sending

  /// Sends a statement, prepared if it has a `name`, and returns the number of results to read.
  func send(_ sql: String, name: String?, _ values: PostgreSQLStrings) throws(PostgreSQLError) -> Int {
    var count = 1
    let calls = unsafe library.calls.pointee
    let sent: Int32
    if let name {
      if prepared.insert(name).inserted {
        guard unsafe calls.sendPrepare(handle, name, sql, 0, nil) == 1 else { throw lost }
        count = 2
      }
      sent = unsafe values.withPointers { pointers in
        unsafe calls.sendQueryPrepared(handle, name, Int32(values.count), pointers, nil, nil, 0)
      }
    } else {
      sent = unsafe values.withPointers { pointers in
        unsafe calls.sendQueryParams(handle, sql, Int32(values.count), nil, pointers, nil, nil, 0)
      }
    }
    guard sent == 1 else { throw lost }
    return count
  }

  /// Makes the next run prepare the statement again: it could not be prepared, or a pool uses another connection.
  func forget(_ name: String) { prepared.remove(name) }

  /// Ends what is sent together: after an error the server skips the rest up to here.
  func synchronize() throws(PostgreSQLError) {
    guard unsafe library.calls.pointee.pipelineSync(handle) == 1 else { throw lost }
  }

  func readRowByRow() { unsafe _ = library.calls.pointee.setSingleRowMode(handle) }

  // MARK: Receiving

  /// Next result; nil at the end of a statement's results.
  func next(until deadline: Duration) throws(PostgreSQLError) -> PostgreSQLResult? {
    let calls = unsafe library.calls.pointee
    while true {
      let unsent = unsafe calls.flush(handle)
      guard unsent >= 0 else { throw lost }
      if unsafe calls.isBusy(handle) == 0 { break }
      guard try wait(writing: unsent == 1, until: deadline) else {
        throw PostgreSQLError(state: nil, message: "no response in time", isConnectionLost: true)
      }
      guard unsafe calls.consumeInput(handle) == 1 else { throw lost }
    }
    guard let result = unsafe calls.getResult(handle) else { return nil }
    return unsafe PostgreSQLResult(result, library)
  }

  /// Reads the end of what was sent together, which follows the results of its last statement.
  func readSynchronization(until deadline: Duration) throws(PostgreSQLError) { _ = try next(until: deadline) }

  func status(of result: PostgreSQLResult) -> PostgreSQLResult.Status { result.status(isBroken: isBroken) }

  /// Runs several statements. Nothing else may be under way.
  func execute(_ script: String, until deadline: Duration) throws(PostgreSQLError) {
    let calls = unsafe library.calls.pointee
    guard unsafe calls.exitPipelineMode(handle) == 1 else { throw lost }
    guard unsafe calls.sendQuery(handle, script) == 1 else { throw lost }
    var failure: PostgreSQLError?
    while let result = try next(until: deadline) {
      if case .failed(let error) = status(of: result) { failure = failure ?? error }
    }
    let isReady = unsafe calls.enterPipelineMode(handle) == 1
    if let failure { throw failure }
    guard isReady else { throw lost }
  }

  /// Waits for the socket; false at the deadline. Only with `endsOnSignal` a signal ends the wait.
  private func wait(writing: Bool, until deadline: Duration) throws(PostgreSQLError) -> Bool {
    let socket = unsafe library.calls.pointee.socket(handle)
    guard socket >= 0 else { throw lost }
    while true {
      if endsOnSignal, Interruption.pending != nil { throw lost }
      let left = deadline - time.uptime()
      guard left > .zero else { return false }
      let events = Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0)
      var entry = pollfd(fd: socket, events: events, revents: 0)
      // Another thread may receive the signal.
      let slice = endsOnSignal ? min(left, .milliseconds(100)) : left
      switch unsafe poll(&entry, 1, slice.pollMilliseconds) {
      case 1...: return true
      case 0 where slice == left: return false
      case 0: continue
      default: guard errno == EINTR else { throw lost }
      }
    }
  }
}

/// C strings in one buffer; nil becomes null.
struct PostgreSQLStrings {
  private var bytes: [UInt8] = []
  private var starts: [Int?] = []

  var count: Int { starts.count }

  init(_ texts: [String?]) {
    starts.reserveCapacity(texts.count)
    for text in texts { append(text) }
  }

  /// Appends a text. The caller refuses one with a NUL, which would end it.
  mutating func append(_ text: String?) {
    guard let text else { return starts.append(nil) }
    starts.append(bytes.count)
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  @unsafe func withPointers<Answer>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Answer
  ) -> Answer {
    unsafe bytes.withUnsafeBytes { buffer in
      let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let pointers =
        unsafe starts.map { start in unsafe start.flatMap { unsafe base?.advanced(by: $0) } } + [nil]
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        guard let start = pointers.baseAddress else { preconditionFailure("an array has an address") }
        return unsafe body(start)
      }
    }
  }
}

enum PostgreSQLOptions {
  static func parse(_ address: String) throws(Failure) -> [String: String]? {
    let library = try PostgreSQL.load()
    guard let list = unsafe library.calls.pointee.conninfoParse(address, nil) else { return nil }
    return unsafe values(list, library)
  }

  /// Parameters from variables and the service file for an empty address.
  static func defaults() throws(Failure) -> [String: String] {
    let library = try PostgreSQL.load()
    guard let list = unsafe library.calls.pointee.conndefaults() else { return [:] }
    return unsafe values(list, library)
  }

  /// Values of a list, which is freed.
  @unsafe private static func values(
    _ list: UnsafeMutablePointer<hw_pg_option>, _ library: PostgreSQL
  ) -> [String: String] {
    defer { unsafe library.calls.pointee.conninfoFree(list) }
    var options: [String: String] = [:]
    var entry = unsafe list
    while let keyword = unsafe entry.pointee.keyword {
      if let value = unsafe entry.pointee.value {
        unsafe options[String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe entry += 1
    }
    return options
  }

  /// Value of the last `search_path` in options such as `-c search_path=a,b`, `-csearch_path=a` and `--search-path=a`.
  static func searchPath(in options: String) -> String? {
    var words: [String] = [""]
    var isProtected = false  // by a backslash, which escapes a space
    for character in options {
      if isProtected || (character != "\\" && character != " ") {
        words[words.count - 1].append(character)
        isProtected = false
      } else if character == "\\" {
        isProtected = true
      } else {
        words.append("")
      }
    }
    let setting = "search_path="
    let settings = words.map { $0.drop { "-c".contains($0) }.replacing("search-path=", with: setting) }
    return settings.last { $0.hasPrefix(setting) }.map { String($0.dropFirst(setting.count)) }
  }
}

/// libpq, loaded on first use.
@safe struct PostgreSQL: Sendable {
  /// Functions, typed by the list in `PostgreSQL.h`. The library stays loaded, so the pointer stays valid.
  @unsafe nonisolated(unsafe) let calls: UnsafePointer<hw_postgresql>

  static let names = ["libpq.so.5", "libpq.so"]

  /// First version with pipelines.
  static let oldest: Int32 = 140_000

  private static let shared = Result { () throws(Failure) in try PostgreSQL(names) }

  static func load() throws(Failure) -> PostgreSQL { try shared.get() }

  init(_ names: [String]) throws(Failure) {
    for name in names {
      guard let calls = unsafe hw_postgresql_open(name) else { continue }
      guard unsafe calls.pointee.libVersion() >= PostgreSQL.oldest else { continue }
      unsafe self.calls = unsafe calls
      return
    }
    throw Failure(.storage, "libpq 14 or newer is not installed", hint: "install it (Debian, Ubuntu: libpq5)")
  }
}

extension Database {
  /// Version of the installed libpq: `15.6`.
  public static func postgreSQLLibraryVersion() throws(Failure) -> String {
    let number = try unsafe PostgreSQL.load().calls.pointee.libVersion()
    return "\(number / 10_000).\(number % 10_000)"
  }
}
