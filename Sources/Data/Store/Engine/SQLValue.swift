import System

/// Value of a column, or of a `?` in a statement.
public enum SQLValue: Equatable, Sendable {
  case null
  case integer(Int)
  /// Never NaN, which SQLite would turn into null.
  case real(Double)
  case text(String)
}

extension SQLValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  public init(nilLiteral: ()) { self = .null }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .real(value) }
}

extension SQLValue: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .text(value) }
}

/// Current row of a query, valid until the closure that receives it returns.
public struct ResultRow {
  let statement: any EngineStatement

  public subscript(_ column: Int) -> ResultColumn { ResultColumn(statement: statement, index: column) }
}

/// Column of a row, read as the type it was written in: SQLite would convert 'abc' to 0.
public struct ResultColumn {
  let statement: any EngineStatement
  let index: Int

  public var value: SQLValue { get throws(Failure) { try statement.value(index) } }

  public var orNull: ResultColumn? { get throws(Failure) { try value == .null ? nil : self } }

  public var integer: Int {
    get throws(Failure) {
      guard case .integer(let value) = try value else { throw mismatch("an integer") }
      return value
    }
  }

  /// Accepts an integer: SQLite stores 2.0 as 2 where it can.
  public var real: Double {
    get throws(Failure) {
      switch try value {
      case .real(let value): return value
      case .integer(let value): return Double(value)
      default: throw mismatch("a number")
      }
    }
  }

  public var text: String {
    get throws(Failure) {
      guard case .text(let value) = try value else { throw mismatch("text") }
      return value
    }
  }

  /// Appends the text of the column without making a string, for many rows that become one text.
  public func appendText(to bytes: inout [UInt8]) throws(Failure) {
    guard statement.appendText(index, to: &bytes) else { throw mismatch("text") }
  }

  private func mismatch(_ expected: String) -> Failure {
    .damaged(statement.name, "column \(index + 1) of a row is not \(expected)")
  }
}
