import CLibraries

/// Result of one statement, or of one of its rows in single-row mode.
@safe final class PostgreSQLResult {
  private let library: PostgreSQL
  @unsafe private let handle: OpaquePointer

  enum Status {
    case done, rows, oneRow, endOfPipeline, aborted
    case failed(PostgreSQLError)
  }

  @unsafe init(_ handle: OpaquePointer, _ library: PostgreSQL) {
    unsafe self.handle = handle
    self.library = library
  }

  deinit { unsafe library.calls.pointee.clear(handle) }

  /// Status; `isBroken` is a lost connection, for which there is no SQLSTATE.
  func status(isBroken: Bool) -> Status {
    switch unsafe library.calls.pointee.resultStatus(handle) {
    case PGRES_COMMAND_OK: return .done
    case PGRES_TUPLES_OK: return .rows
    case PGRES_SINGLE_TUPLE: return .oneRow
    case PGRES_PIPELINE_SYNC: return .endOfPipeline
    case PGRES_PIPELINE_ABORTED: return .aborted
    default:
      let (state, primary) = (errorField("C"), errorField("M"))
      // The server, or a pool, ends the connection after such an error.
      let isFatal = ["FATAL", "PANIC"].contains(errorField("V") ?? errorField("S"))
      return .failed(
        PostgreSQLError(
          state: state, message: primary ?? "no message",
          isConnectionLost: isBroken || isFatal || state == nil))
    }
  }

  /// Field of an error: C is the SQLSTATE, M the message, S the severity, V the severity in English.
  private func errorField(_ field: Unicode.Scalar) -> String? {
    unsafe library.calls.pointee.resultErrorField(handle, Int32(field.value)).map {
      unsafe String(cString: $0)
    }
  }

  var rowCount: Int { unsafe Int(library.calls.pointee.ntuples(handle)) }

  /// Number of rows that an INSERT, UPDATE or DELETE changed.
  var changes: Int {
    unsafe library.calls.pointee.cmdTuples(handle).flatMap { unsafe Int(String(cString: $0)) } ?? 0
  }

  /// Command tag: `COMMIT`, or `ROLLBACK` if a commit was not possible.
  var command: String {
    unsafe library.calls.pointee.cmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
  }

  /// Value of a column; `.null` without such a column, nil for a type that hw never stores.
  func value(_ row: Int, _ column: Int) -> SQLValue? {
    let calls = unsafe library.calls.pointee
    guard let row = Int32(exactly: row), let index = Int32(exactly: column),
      unsafe index < calls.nfields(handle), unsafe calls.getisnull(handle, row, index) == 0
    else { return .null }
    let length = unsafe Int(calls.getlength(handle, row, index))
    guard let start = unsafe calls.getvalue(handle, row, index) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    guard let text = unsafe String(validating: bytes, as: UTF8.self) else { return nil }
    switch unsafe calls.ftype(handle, index) {
    case INT2OID, INT4OID, INT8OID, OIDOID, NUMERICOID: return Int(text).map { .integer($0) }
    case BOOLOID: return .integer(text == "t" ? 1 : 0)
    case FLOAT4OID, FLOAT8OID: return Double(text).map { .real($0) }
    case TEXTOID, CHAROID, NAMEOID, VARCHAROID, BPCHAROID, UNKNOWNOID, TXID_SNAPSHOTOID: return .text(text)
    default: return nil
    }
  }

  /// Appends the text of a column; false if it is no text.
  func appendText(_ row: Int, _ column: Int, to bytes: inout [UInt8]) -> Bool {
    let calls = unsafe library.calls.pointee
    guard let row = Int32(exactly: row), let index = Int32(exactly: column), index >= 0,
      unsafe index < calls.nfields(handle), unsafe calls.getisnull(handle, row, index) == 0,
      unsafe calls.ftype(handle, index) == TEXTOID, let start = unsafe calls.getvalue(handle, row, index)
    else { return false }
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(
        start: start, count: Int(calls.getlength(handle, row, index))))
    return true
  }
}
