import System

/// What was said to a command, checked and typed. The option or operand is the key: `call[limit]` is an `Int`, and a
/// typing error does not compile.
public struct Invocation: Sendable {
  public let command: Command
  /// The suite the command belongs to; nil for a tool of the program itself.
  public let suite: String?
  /// The configuration that counts for it.
  var configuration = Configuration(path: "")
  private var values: [String: any Sendable] = [:]
  private var operands: [String: any Sendable] = [:]
  /// The options that were typed.
  private(set) var given: [String] = []

  init(_ command: Command, suite: String?) {
    self.command = command
    self.suite = suite
  }

  /// The same words, said to a command of another suite.
  init(_ call: Invocation, for suite: String) {
    self.init(call.command, suite: suite)
    configuration = call.configuration
    values = call.values
    operands = call.operands
    given = call.given
    texts = call.texts
  }

  public subscript<Value>(_ option: Option<Value>) -> Value {
    values[option.declaration.name] as? Value ?? option.fallback
  }

  public subscript<Value>(_ operand: Operand<Value>) -> Value {
    get throws(Failure) {
      if let value = operands[operand.declaration.name] as? Value ?? operand.fallback { return value }
      // The parser binds every operand that must be there: only a command that asks for another's comes here.
      throw Failure(.defect, "operand '\(operand.declaration.name)' is not one of '\(command.name)'")
    }
  }

  /// True when the option was typed, not merely left at its default or set elsewhere.
  public func isGiven(_ option: any Declared) -> Bool { given.contains(option.declaration.name) }

  /// True when not one operand was typed.
  public var hasNoOperands: Bool { operands.isEmpty }

  /// `text` is what was typed, where that is a value.
  mutating func set(_ option: OptionDeclaration, to value: any Sendable, text: String? = nil) {
    values[option.name] = value
    texts[option.name] = text
    given.append(option.name)
  }

  mutating func append(_ option: OptionDeclaration, _ value: any Sendable) {
    gathered[option.name, default: []].append(value)
    set(option, to: option.gather(gathered[option.name] ?? []))
  }

  mutating func count(_ option: OptionDeclaration) {
    set(option, to: (values[option.name] as? Int ?? 0) + 1)
  }

  /// Back to the default: what `--no-NAME` asks for.
  mutating func reset(_ option: OptionDeclaration) {
    gathered[option.name] = nil
    set(option, to: option.fallback())
  }

  /// A value from a variable or the configuration: it gives way to what was typed.
  mutating func setQuietly(_ option: OptionDeclaration, to value: any Sendable) {
    values[option.name] = value
  }

  mutating func bind(_ operand: OperandDeclaration, to value: any Sendable) {
    operands[operand.name] = value
  }

  /// What was typed for the option, as a text.
  func text(of option: OptionDeclaration) -> String? {
    guard given.contains(option.name) else { return nil }
    if let text = texts[option.name] { return text }
    switch values[option.name] {
    case let flag as Bool: return flag ? "on" : "off"
    case let count as Int: return String(count)
    default: return option.defaultText
    }
  }

  private var texts: [String: String] = [:]
  private var gathered: [String: [any Sendable]] = [:]
}
