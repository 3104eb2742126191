import System

/// Options and operands of a command that exclude each other. The parser refuses them, and help lists them.
public struct Exclusion: Sendable {
  let pairs: [Pair]
  private let hint: String

  typealias Pair = (one: Member, other: Member)

  public enum Member: Sendable {
    case option(OptionDeclaration)
    case operand(OperandDeclaration)

    /// Name in help. Operands are in upper case, so no option has the name of an operand.
    var spelling: String {
      switch self {
      case .option(let option): option.spelling
      case .operand(let operand): operand.name
      }
    }
  }

  /// Any two of the members exclude each other.
  public init(_ members: any Excludable..., hint: String = Exclusion.defaultHint) {
    let members = members.map(\.member)
    pairs = members.indices.flatMap { index in
      members[(index + 1)...].map { (members[index], $0) }
    }
    self.hint = hint
  }

  /// The member excludes each of the others, which can be given together.
  public init(_ member: any Excludable, from others: any Excludable..., hint: String = Exclusion.defaultHint)
  {
    pairs = others.map { (member.member, $0.member) }
    self.hint = hint
  }

  public static let defaultHint = "remove one of them"

  /// Fails (`usage`) if two excluding members were typed.
  func check(_ call: Invocation) throws(Failure) {
    for pair in pairs {
      guard let one = call.typedName(of: pair.one), let other = call.typedName(of: pair.other) else {
        continue
      }
      throw Failure(.usage, "\(one) and \(other) exclude each other", hint: hint)
    }
  }
}

public protocol Excludable: Sendable {
  var member: Exclusion.Member { get }
}

extension Invocation {
  /// Name of a typed member in a message: `'-i'`, `'--json'`, `FILE`.
  fileprivate func typedName(of member: Exclusion.Member) -> String? {
    switch member {
    case .option(let option): isGiven(option) ? "'\(spelling(of: option))'" : nil
    case .operand(let operand): isGiven(operand) ? operand.name : nil
    }
  }
}

extension Command {
  /// Sentence for the help about what the member excludes; empty if nothing.
  func exclusions(of member: Exclusion.Member) -> String {
    let spelling = member.spelling
    let others = exclusions.flatMap(\.pairs).compactMap { pair in
      pair.one.spelling == spelling
        ? pair.other.spelling : pair.other.spelling == spelling ? pair.one.spelling : nil
    }
    guard let last = others.last else { return "" }
    let first = others.dropLast().joined(separator: ", ")
    return "Excludes \(first.isEmpty ? last : "\(first) and \(last)")."
  }
}
