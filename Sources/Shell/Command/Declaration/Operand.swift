import System

/// Operand: its declaration, and the key of its value in an `Invocation`.
public struct Operand<Value: Sendable>: DeclaredOperand {
  public let declaration: OperandDeclaration
  @usableFromInline let fallback: Value?

  public init(_ name: String, _ kind: ValueKind<Value>, _ summary: String) {
    declaration = OperandDeclaration(name: name, summary: summary, value: ValueDeclaration(kind), count: .one)
    fallback = nil
  }

  public init<Wrapped>(optional name: String, _ kind: ValueKind<Wrapped>, _ summary: String)
  where Value == Wrapped? {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .optional)
    fallback = .some(nil)
  }

  /// Words after `--`, which are not read as options: any number.
  public init<Element>(afterDashes name: String, _ kind: ValueKind<Element>, _ summary: String)
  where Value == [Element] {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .afterDashes)
    fallback = []
  }

  public init<Element>(rest name: String, _ kind: ValueKind<Element>, _ summary: String)
  where Value == [Element] {
    declaration = OperandDeclaration(
      name: name, summary: summary, value: ValueDeclaration(kind), count: .rest)
    fallback = []
  }
}

public protocol DeclaredOperand: Excludable {
  var declaration: OperandDeclaration { get }
}

extension DeclaredOperand {
  public var member: Exclusion.Member { .operand(declaration) }
}

/// Operand without the type of its value.
public final class OperandDeclaration: Sendable {
  public enum Count: String, CaseIterable, Sendable {
    case one, optional, rest
    case afterDashes
  }

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
