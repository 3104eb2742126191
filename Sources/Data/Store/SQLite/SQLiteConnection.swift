import CLibraries
import System

/// Open database handle, closed when its connection, statements and rows are released. This file and
/// `SQLiteStatement` contain all unsafe uses of SQLite.
@safe final class SQLiteConnection {
  let sqlite: SQLite
  let name: String
  let time: any TimeKeeper
  @unsafe let handle: OpaquePointer
  /// Sizes of the write-ahead log that the last connection leaves unchanged; any other log is checkpointed.
  var keptWAL: Range<Int>
  weak var sequences: SQLiteSequences?
  /// False if the caller does not wait for locks of other processes, or waits itself.
  var waitsForLocks = true

  init(
    _ path: String, name: String, isImmutable: Bool = false, time: any TimeKeeper
  ) throws(Failure) {
    let sqlite = try SQLite.load()
    var opened: OpaquePointer?
    // A database has one user, so no locks between threads are needed.
    let flags =
      SQLITE_OPEN_NOMUTEX | (isImmutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE)
    let location = isImmutable ? SQLiteConnection.immutableURI(path) : path
    let code = unsafe sqlite.calls.pointee.open_v2(location, &opened, flags, nil)
    guard let handle = unsafe opened else { throw Failure(.storage, "no memory left to open '\(name)'") }
    self.sqlite = sqlite
    self.name = name
    self.time = time
    unsafe self.handle = handle
    // A file that is only read, or may not be one of hw, keeps its log as it was.
    keptWAL = 1..<Int.max
    try check(code)
    try check(unsafe hw_sqlite_harden(sqlite.calls, handle))
    try check(
      unsafe sqlite.calls.pointee.busy_handler(
        handle,
        { context, attempt in
          // The context is this connection, which outlives its own handle.
          let connection = unsafe Unmanaged<SQLiteConnection>.fromOpaque(context).takeUnretainedValue()
          return connection.waitsForLocks && connection.pause(before: attempt) ? 1 : 0
        },
        Unmanaged.passUnretained(self).toOpaque()))
    try addFunctions()
  }

  /// URI of a file that SQLite reads without a lock and without its log.
  private static func immutableURI(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      if byte.isASCIIAlphanumeric || "/-._~".utf8.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += "%\(String(byte, radix: 16).zeroPadded(to: 2))"
      }
    }
    return "\(uri)?immutable=1"
  }

  /// Adds PostgreSQL's functions that the suites use.
  private func addFunctions() throws(Failure) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try check(
      unsafe sqlite.calls.pointee.create_function(
        handle, "nextval", 1, SQLITE_UTF8, context,
        { call, _, values in
          let connection = unsafe SQLiteConnection.caller(call)
          let bytes = unsafe connection.sqlite.calls.pointee.value_text(values[0])
          let name = unsafe bytes.map { unsafe String(cString: $0) } ?? ""
          unsafe connection.respond(call) { sequences throws(Failure) in try sequences.take(name) }
        }, nil, nil))
    try check(
      unsafe sqlite.calls.pointee.create_function(
        handle, "txid_current", 0, SQLITE_UTF8, context,
        { call, _, _ in
          let connection = unsafe SQLiteConnection.caller(call)
          unsafe connection.respond(call) { sequences throws(Failure) in try sequences.transactionNumber() }
        }, nil, nil))
  }

  @unsafe private static func caller(_ call: OpaquePointer) -> SQLiteConnection {
    unsafe Unmanaged<SQLiteConnection>.fromOpaque(hw_sqlite_user_data(call)).takeUnretainedValue()
  }

  @unsafe private func respond(
    _ call: OpaquePointer, _ number: (SQLiteSequences) throws(Failure) -> Int
  ) {
    do throws(Failure) {
      guard let sequences else { throw Failure(.defect, "the database was closed") }
      unsafe sqlite.calls.pointee.result_int64(call, Int64(try number(sequences)))
    } catch {
      unsafe sqlite.calls.pointee.result_error(call, error.message, -1)
    }
  }

  deinit {
    let keeps = File.size("\(name)-wal").map(keptWAL.contains) ?? false
    unsafe _ = hw_sqlite_keep_log(sqlite.calls, handle, keeps ? 1 : 0)
    unsafe _ = sqlite.calls.pointee.close_v2(handle)
  }

  /// Sleeps before the next attempt at a lock: 1 ms at first, then longer, 5 seconds in all. Returns false after that,
  /// and after a signal, which does not end SQLite's own time-out.
  private func pause(before attempt: Int32) -> Bool {
    guard attempt < 56 else { return false }
    do throws(Failure) {
      try time.sleep(for: .milliseconds(min(1 << Int(attempt), 100)))
      return true
    } catch {
      return false
    }
  }

  func execute(_ script: String) throws(Failure) {
    try check(unsafe sqlite.calls.pointee.exec(handle, script, nil, nil, nil))
  }

  /// Executes a script, and waits for locks where SQLite does not: two connections that make a WAL block each other.
  func executeWaiting(_ script: String) throws(Failure) {
    waitsForLocks = false
    defer { waitsForLocks = true }
    var attempt: Int32 = 0
    while true {
      do throws(Failure) {
        return try execute(script)
      } catch {
        guard error.retryable, pause(before: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// False also after SQLite has undone a transaction by itself, as on a full disk.
  var isInTransaction: Bool { unsafe sqlite.calls.pointee.get_autocommit(handle) == 0 }

  var changes: Int { unsafe Int(sqlite.calls.pointee.changes(handle)) }

  func check(_ code: Int32) throws(Failure) {
    if code != 0 { throw lastFailure }
  }

  var lastFailure: Failure { failure(unsafe sqlite.calls.pointee.extended_errcode(handle)) }

  var message: String {
    unsafe sqlite.calls.pointee.errmsg(handle).map { unsafe String(cString: $0) } ?? "no message"
  }

  var systemError: SystemError { SystemError(unsafe sqlite.calls.pointee.system_errno(handle)) }
}

/// SQLite, loaded on first use.
@safe struct SQLite: Sendable {
  /// Functions, typed by the list in `SQLite.h`. The library stays loaded, so the pointer stays valid.
  @unsafe nonisolated(unsafe) let calls: UnsafePointer<hw_sqlite>

  static let names = ["libsqlite3.so.0", "libsqlite3.so"]

  /// Oldest version on the systems that Swift supports. The suites' SQL respects it: no STRICT, no RETURNING.
  static let oldest: Int32 = 3_034_000

  private static let shared = Result { () throws(Failure) in try SQLite(names) }

  static func load() throws(Failure) -> SQLite { try shared.get() }

  init(_ names: [String]) throws(Failure) {
    for name in names {
      guard let calls = unsafe hw_sqlite_open(name, SQLite.oldest) else { continue }
      unsafe self.calls = unsafe calls
      return
    }
    throw Failure(
      .storage, "SQLite 3.34 or newer is not installed", hint: "install it (Debian, Ubuntu: libsqlite3-0)")
  }
}

extension Database {
  /// Version of the installed SQLite: `3.45.1`.
  public static func libraryVersion() throws(Failure) -> String {
    let number = try unsafe SQLite.load().calls.pointee.libversion_number()
    return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
  }
}
