import System

/// Statement that the server prepares at its first run on a connection.
final class PostgreSQLStatement: EngineStatement {
  private unowned let engine: PostgreSQLEngine
  private let sql: String
  private let command: PostgreSQLCommand
  /// Variant that locks its rows, and waits for other transactions.
  private lazy var waiting = engine.namedCommand("\(sql) FOR UPDATE")
  /// Variant that locks its rows, and leaves out those that another transaction has locked.
  private lazy var skipping = engine.namedCommand("\(sql) FOR UPDATE SKIP LOCKED")
  var isRunning = false
  private(set) var changes = 0
  /// Results with rows that were not stepped to yet.
  private var results: [PostgreSQLResult] = []
  /// Indexes of the current result and of its current row.
  private var result = 0
  private var row = -1
  /// Failure that ended the rows. Another statement may have read them ahead, so it is thrown after they were taken.
  var failure: Failure?

  init(_ sql: String, on engine: PostgreSQLEngine) {
    self.sql = sql
    self.engine = engine
    command = engine.namedCommand(sql)
  }

  var name: String { engine.name }

  func start(_ values: [SQLValue], _ use: StatementUse) throws(Failure) {
    guard values.count == command.parameters else {
      throw Failure(.defect, "a statement takes \(command.parameters) values, but was given \(values.count)")
    }
    let texts = try PostgreSQLStatement.strings(values, engine.name)
    switch use {
    case .deferredChange where engine.isInTransaction: try engine.enqueue(command, texts)
    case .change, .deferredChange, .firstRow:
      let answer = try engine.run(command, texts, isChange: use != .firstRow)
      changes = answer.changes
      results = [answer]
    case .allRows: try engine.stream(command, texts, to: self)
    case .availableRows: results = [try engine.lock(skipping, texts)]
    case .lockedRow where !engine.hasLocks: results = [try engine.lock(waiting, texts)]
    case .lockedRow:
      results = [try engine.lock(skipping, texts)]
      // A row that is not found is missing, or locked.
      if results[0].rowCount == 0, try engine.run(command, texts, isChange: false).rowCount > 0 {
        throw engine.contended("a row is locked")
      }
    }
  }

  func step() throws(Failure) -> Bool {
    row += 1
    while true {
      if result < results.count {
        if row < results[result].rowCount { return true }
        row = 0
        result += 1
        continue
      }
      results = []
      result = 0
      if let failure { throw failure }
      guard engine.isStreaming(self), try engine.readMore() else { return false }
    }
  }

  func receive(_ result: PostgreSQLResult) { results.append(result) }

  func reset() throws(Failure) {
    defer {
      failure = nil
      results = []
      result = 0
      row = -1
    }
    while engine.isStreaming(self) { try engine.readMore() }
  }

  private var current: PostgreSQLResult? {
    guard result < results.count, row >= 0, row < results[result].rowCount else { return nil }
    return results[result]
  }

  func value(_ column: Int) throws(Failure) -> SQLValue {
    guard let current else { return .null }
    guard let value = current.value(row, column) else {
      throw .damaged(engine.name, "column \(column + 1) of a row cannot be read")
    }
    return value
  }

  func appendText(_ column: Int, to bytes: inout [UInt8]) -> Bool {
    guard let current else { return false }
    return current.appendText(row, column, to: &bytes)
  }

  /// Values as texts: the server knows the types.
  private static func strings(_ values: [SQLValue], _ name: String) throws(Failure) -> PostgreSQLStrings {
    var strings = PostgreSQLStrings([])
    for value in values {
      switch value {
      case .null: strings.append(nil)
      case .integer(let number): strings.append(String(number))
      case .real(let number):
        guard !number.isNaN else { throw Failure(.storage, "NaN cannot be stored in '\(name)'") }
        strings.append(number.isInfinite ? (number > 0 ? "Infinity" : "-Infinity") : "\(number)")
      case .text(let text):
        guard !text.utf8.contains(0) else {
          throw Failure(.usage, "PostgreSQL stores no text with a NUL character")
        }
        strings.append(text)
      }
    }
    return strings
  }
}

struct PostgreSQLCommand: Sendable {
  let sql: String
  let parameters: Int
  /// Name of the prepared statement; nil for a text that is not prepared, such as COMMIT.
  let name: String?

  init(_ sql: String, name: String?) {
    (self.sql, parameters) = PostgreSQLText.statement(sql)
    self.name = name
  }
}
