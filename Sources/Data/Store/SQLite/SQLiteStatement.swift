import CLibraries
import System

@safe final class SQLiteStatement: EngineStatement {
  private let connection: SQLiteConnection
  var isRunning = false
  @unsafe private let handle: OpaquePointer

  init(_ sql: String, on connection: SQLiteConnection) throws(Failure) {
    var prepared: OpaquePointer?
    var hasMore = false
    var code: Int32 = 0
    unsafe sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      code = unsafe connection.sqlite.calls.pointee.prepare_v2(connection.handle, text, -1, &prepared, &tail)
      hasMore = unsafe tail.map { unsafe $0.pointee != 0 } ?? false
    }
    try connection.check(code)
    guard let handle = unsafe prepared, !hasMore else {
      if let prepared = unsafe prepared { unsafe _ = connection.sqlite.calls.pointee.finalize(prepared) }
      throw Failure(.defect, "not exactly one SQL statement: '\(sql)'")
    }
    self.connection = connection
    unsafe self.handle = handle
  }

  deinit { unsafe _ = connection.sqlite.calls.pointee.finalize(handle) }

  var name: String { connection.name }
  var changes: Int { connection.changes }

  func start(_ values: [SQLValue], _ use: StatementUse) throws(Failure) {
    let expected = unsafe connection.sqlite.calls.pointee.bind_parameter_count(handle)
    guard values.count == expected else {
      throw Failure(.defect, "a statement takes \(expected) values, but was given \(values.count)")
    }
    for (index, value) in zip(Int32(1)..., values) { try connection.check(bind(value, at: index)) }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws(Failure) -> Int32 {
    let calls = unsafe connection.sqlite.calls.pointee
    switch value {
    case .null: return unsafe calls.bind_null(handle, index)
    case .integer(let number): return unsafe calls.bind_int64(handle, index, Int64(number))
    case .real(let number):
      guard !number.isNaN else { throw Failure(.storage, "NaN cannot be stored in '\(connection.name)'") }
      return unsafe calls.bind_double(handle, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        // An empty buffer may have no address, which SQLite would read as null.
        let start = unsafe UnsafeRawPointer(bytes.baseAddress ?? StaticString("").utf8Start)
        let characters = unsafe start.assumingMemoryBound(to: CChar.self)
        return unsafe calls.bind_text64(
          handle, index, characters, UInt64(bytes.count), hw_sqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  func step() throws(Failure) -> Bool {
    switch unsafe connection.sqlite.calls.pointee.step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.lastFailure
    }
  }

  /// Ends the run. Outside a transaction, a run that stopped at a row commits here, which may fail.
  func reset() throws(Failure) { try connection.check(unsafe connection.sqlite.calls.pointee.reset(handle)) }

  func appendText(_ column: Int, to bytes: inout [UInt8]) -> Bool {
    let calls = unsafe connection.sqlite.calls.pointee
    guard let index = Int32(exactly: column), unsafe calls.column_type(handle, index) == SQLITE_TEXT else {
      return false
    }
    let start = unsafe calls.column_text(handle, index)
    unsafe bytes.append(
      contentsOf: UnsafeBufferPointer(start: start, count: Int(calls.column_bytes(handle, index))))
    return true
  }

  func value(_ column: Int) throws(Failure) -> SQLValue {
    guard let index = Int32(exactly: column) else { return .null }
    let calls = unsafe connection.sqlite.calls.pointee
    switch unsafe calls.column_type(handle, index) {
    case SQLITE_INTEGER: return unsafe .integer(Int(calls.column_int64(handle, index)))
    case SQLITE_FLOAT: return unsafe .real(calls.column_double(handle, index))
    case SQLITE_TEXT:
      let start = unsafe calls.column_text(handle, index)
      let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(calls.column_bytes(handle, index)))
      guard let text = unsafe String(validating: bytes, as: UTF8.self) else { break }
      return .text(text)
    case SQLITE_NULL: return .null
    // A blob, which hw never stores.
    default: break
    }
    throw .damaged(connection.name, "column \(column + 1) of a row cannot be read")
  }
}

/// Statements that the engine itself runs, prepared at their first use.
final class InternalStatements {
  private unowned let connection: SQLiteConnection
  private var prepared = PreparedStatements()

  init(_ connection: SQLiteConnection) { self.connection = connection }

  func run(_ sql: String, _ values: [SQLValue] = []) throws(Failure) { _ = try first(sql, values) }

  /// Returns the first column of the first row; nil unless it is an integer.
  func first(_ sql: String, _ values: [SQLValue] = []) throws(Failure) -> Int? {
    let statement = try prepared.statement(sql) { () throws(Failure) in
      try SQLiteStatement(sql, on: connection)
    }
    // After a failure the reset only repeats the error.
    defer { _ = try? statement.reset() }
    try statement.start(values, .firstRow)
    guard try statement.step(), case .integer(let number) = try statement.value(0) else { return nil }
    return number
  }
}
