import System

/// An operand: its declaration, and the key under which an `Invocation` holds its value.
public struct Operand<Value: Sendable>: DeclaredOperand {
  public let declaration: OperandDeclaration
  @usableFromInline let fallback: Value?

  /// A required operand.
  public init(_ name: String, _ kind: ValueKind<Value>, _ summary: String) {
    declaration = OperandDeclaration(name: name, summary: summary, value: ValueDeclaration(kind), count: .one)
    fallback = nil
  }

  /// An optional operand: nil if it is missing.
  public init<Wrapped>(optional name: String, _ kind: ValueKind<Wrapped>, _ summary: String)
  where Value == Wrapped? {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .optional)
    fallback = .some(nil)
  }

  /// The words after `--`, which are not read as options: none, one or many.
  public init<Element>(afterDashes name: String, _ kind: ValueKind<Element>, _ summary: String)
  where Value == [Element] {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .afterDashes)
    fallback = []
  }

  /// All remaining operands: none, one or many.
  public init<Element>(rest name: String, _ kind: ValueKind<Element>, _ summary: String)
  where Value == [Element] {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .rest)
    fallback = []
  }
}

/// An element of a command's list of operands.
public protocol DeclaredOperand: Excludable {
  var declaration: OperandDeclaration { get }
}

extension DeclaredOperand {
  public var member: Exclusion.Member { .operand(declaration) }
}

/// An operand without the type of its value.
public final class OperandDeclaration: Sendable {
  public enum Count: String, CaseIterable, Sendable {
    case one
    case optional
    case rest
    /// The last operand of its command.
    case afterDashes
  }

  /// In upper case, as in the synopsis.
  public let name: String
  public let summary: String
  public let value: ValueDeclaration
  public let count: Count

  init(name: String, summary: String, value: ValueDeclaration, count: Count) {
    self.name = name
    self.summary = summary
    self.value = value
    self.count = count
  }

  var synopsis: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .rest: "[\(name)...]"
    case .afterDashes: "[-- \(name)...]"
    }
  }
}
