import System

/// Checked and typed arguments of a command. The option or operand is the key: `call[limit]` is an `Int`.
public struct Invocation: Sendable {
  public let command: Command
  /// Suite of the command; nil for a tool.
  public let suite: String?
  var configuration = Configuration(path: "")
  /// First fault of the settings, for a command that runs despite it.
  private(set) var settingsFailure: Failure?
  // Lists, since the runtime takes long to make a dictionary's type, and a command line is short.
  @usableFromInline private(set) var options: [ParsedValue] = []
  @usableFromInline private(set) var operands: [ParsedValue] = []

  @usableFromInline struct ParsedValue: Sendable {
    @usableFromInline let name: String
    @usableFromInline var value: any Sendable
    /// Typed text of the value; nil for flags.
    var text: String?
    /// Typed name of the option: `-n`, `--no-wait`, or a shorthand such as `--json`.
    var typed: String?
    var origin = Origin.option
  }

  enum Origin: Sendable {
    case option
    /// Default, since `--no-NAME` canceled the value.
    case negated
    case settings
  }

  init(_ command: Command, suite: String?) {
    self.command = command
    self.suite = suite
  }

  /// The command with its suite, for messages: `bikes list`.
  var commandName: String { suite.map { "\($0) \(command.name)" } ?? command.name }

  /// Copies a command line for a command of another suite.
  init(_ call: Invocation, for suite: String) {
    self.init(call.command, suite: suite)
    configuration = call.configuration
    options = call.options
    operands = call.operands
  }

  /// Keeps a fault of the settings if the command runs despite it; otherwise throws it.
  mutating func keepOrThrow(_ failure: Failure) throws(Failure) {
    guard command.runsWithInvalidSettings else { throw failure }
    settingsFailure = settingsFailure ?? failure
  }

  @inlinable public subscript<Value>(_ option: Option<Value>) -> Value {
    for parsed in options where parsed.name == option.declaration.name {
      if let value = parsed.value as? Value { return value }
    }
    precondition(declares(option.declaration), "an option that the command does not declare")
    return option.fallback
  }

  @inlinable public subscript<Value>(_ setting: Setting<Value>) -> Value { self[setting.option] }

  @inlinable public subscript<Value>(_ operand: Operand<Value>) -> Value {
    get throws(Failure) {
      for parsed in operands where parsed.name == operand.declaration.name {
        if let value = parsed.value as? Value { return value }
      }
      guard let fallback = operand.fallback else { throw missing(operand.declaration) }
      return fallback
    }
  }

  /// Failure of a command that reads the operand of another one; the parser binds all required operands.
  @usableFromInline func missing(_ operand: OperandDeclaration) -> Failure {
    Failure(.defect, "operand '\(operand.name)' is not one of '\(command.name)'")
  }

  /// Whether the command has the option or setting. Reading another one traps: its default would be plausible and
  /// wrong.
  @usableFromInline func declares(_ option: OptionDeclaration) -> Bool {
    let name = option.name
    return command.options.contains { $0.declaration.name == name }
      || StandardOptions.all.contains { $0.name == name }
      || command.settings.contains { $0.declaration.name == name }
      || StandardSettings.all.contains { $0.name == name }
  }

  /// True if the option was typed and not canceled.
  public func isGiven(_ option: any Declared) -> Bool { parsedValue(option.declaration)?.origin == .option }

  func isGiven(_ operand: OperandDeclaration) -> Bool { operands.contains { $0.name == operand.name } }

  /// True if the command line decides the value: the option was typed or canceled.
  public func isDecided(_ option: OptionDeclaration) -> Bool {
    parsedValue(option).map { $0.origin != .settings } ?? false
  }

  /// Text of a typed or canceled option, as a variable would have it: a flag is `on` or `off`. Nil for other options.
  func text(of option: OptionDeclaration) -> String? {
    guard let parsed = parsedValue(option), parsed.origin != .settings else { return nil }
    if let text = parsed.text { return text }
    switch parsed.value {
    case let flag as Bool: return flag ? "on" : "off"
    case let count as Int: return String(count)
    default: return option.defaultText
    }
  }

  /// Typed name of the option: `--output` can be `-o` or `--json`.
  public func spelling(of option: any Declared) -> String {
    parsedValue(option.declaration)?.typed ?? "--\(option.declaration.name)"
  }

  private func parsedValue(_ option: OptionDeclaration) -> ParsedValue? {
    options.first { $0.name == option.name }
  }

  /// Name under which the option was typed before with another value: `--demo` and `--url`.
  func earlierName(of option: OptionDeclaration, typed: String, text: String?) -> String? {
    guard let before = parsedValue(option), before.origin == .option, before.typed != typed,
      before.text != text
    else { return nil }
    return before.typed
  }

  /// Sets a typed value; `typed` is the name of the option as it was typed.
  mutating func set(
    _ option: OptionDeclaration, to value: any Sendable, text: String? = nil, typed: String? = nil
  ) {
    put(ParsedValue(name: option.name, value: value, text: text, typed: typed))
  }

  /// Applies `--no-NAME`: turns a flag off, and resets another option to its default.
  mutating func negate(_ option: OptionDeclaration, typed: String? = nil) {
    let typed = typed ?? "--no-\(option.name)"
    if case .flag(startsOn: true) = option.kind { return set(option, to: false, typed: typed) }
    put(ParsedValue(name: option.name, value: option.fallback(), typed: typed, origin: .negated))
  }

  mutating func append(_ option: OptionDeclaration, _ value: any Sendable, typed: String? = nil) {
    let before = parsedValue(option)?.value as? [any Sendable] ?? []
    set(option, to: before + [value], typed: typed)
  }

  mutating func count(_ option: OptionDeclaration, typed: String? = nil) {
    set(option, to: (parsedValue(option)?.value as? Int ?? 0) + 1, typed: typed)
  }

  mutating func setFromSettings(_ option: OptionDeclaration, to value: any Sendable) {
    put(ParsedValue(name: option.name, value: value, origin: .settings))
  }

  mutating func bind(_ operand: OperandDeclaration, to value: any Sendable) {
    operands.append(ParsedValue(name: operand.name, value: value))
  }

  private mutating func put(_ parsed: ParsedValue) {
    if let index = options.firstIndex(where: { $0.name == parsed.name }) {
      options[index] = parsed
    } else {
      options.append(parsed)
    }
  }
}
