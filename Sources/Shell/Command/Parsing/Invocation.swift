import System

/// Checked and typed arguments of a command. The option or operand is the key: `call[limit]` is an `Int`, and a
/// typing error does not compile.
public struct Invocation: Sendable {
  public let command: Command
  /// The suite the command belongs to; nil for a tool of the program itself.
  public let suite: String?
  /// The configuration that counts for it.
  var configuration = Configuration(path: "")
  /// The first fault of the settings, for a command that runs in spite of it.
  private(set) var settingsFailure: Failure?
  // Lists, not dictionaries: a command line is short, and the runtime makes a dictionary's type at a cost of its own.
  @usableFromInline private(set) var options: [ParsedValue] = []
  @usableFromInline private(set) var operands: [ParsedValue] = []

  /// The value of one option or operand.
  @usableFromInline struct ParsedValue: Sendable {
    @usableFromInline let name: String
    @usableFromInline var value: any Sendable
    /// Typed text of the value; nil for flags.
    var text: String?
    /// How the option was named: `-n`, `--no-wait`, or a shorthand such as `--json`.
    var typed: String?
    var origin = Origin.option
  }

  enum Origin: Sendable {
    case option
    /// The default, since `--no-NAME` took back what came before.
    case takenBack
    /// A variable or the configuration.
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

  /// Keeps a fault of the settings if the command tolerates it, and fails with it otherwise.
  mutating func tolerate(_ failure: Failure) throws(Failure) {
    guard command.toleratesFaultySettings else { throw failure }
    settingsFailure = settingsFailure ?? failure
  }

  @inlinable public subscript<Value>(_ option: Option<Value>) -> Value {
    for parsed in options where parsed.name == option.declaration.name {
      if let value = parsed.value as? Value { return value }
    }
    precondition(declares(option.declaration), "an option that the command does not declare")
    return option.fallback
  }

  /// An option without a default: nil if it is not given.
  @inlinable public subscript<Wrapped>(_ option: Option<Wrapped?>) -> Wrapped? {
    for parsed in options where parsed.name == option.declaration.name { return parsed.value as? Wrapped }
    precondition(declares(option.declaration), "an option that the command does not declare")
    return nil
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

  /// An operand that may be left out.
  @inlinable public subscript<Wrapped>(_ operand: Operand<Wrapped?>) -> Wrapped? {
    get throws(Failure) {
      for parsed in operands where parsed.name == operand.declaration.name { return parsed.value as? Wrapped }
      return nil
    }
  }

  /// The parser binds every operand that must be there: only a command that asks for another's comes here.
  @usableFromInline func missing(_ operand: OperandDeclaration) -> Failure {
    Failure(.defect, "operand '\(operand.name)' is not one of '\(command.name)'")
  }

  /// Whether the command has the option or the setting. Reading another one is an error of the program and traps:
  /// its default would be a plausible value that the user cannot change.
  @usableFromInline func declares(_ option: OptionDeclaration) -> Bool {
    let name = option.name
    return command.options.contains { $0.declaration.name == name }
      || StandardOptions.all.contains { $0.declaration.name == name }
      || command.settings.contains { $0.declaration.name == name }
      || StandardSettings.all.contains { $0.name == name }
  }

  /// True when the option was typed and not taken back, not merely left at its default or set elsewhere.
  public func isGiven(_ option: any Declared) -> Bool { parsedValue(option.declaration)?.origin == .option }

  /// True when at least one word was typed for the operand.
  func isGiven(_ operand: OperandDeclaration) -> Bool { operands.contains { $0.name == operand.name } }

  /// True when the command line decides the value: the option was typed, or taken back.
  public func isDecided(_ option: OptionDeclaration) -> Bool {
    parsedValue(option).map { $0.origin != .settings } ?? false
  }

  /// True when not one operand was typed.
  var hasNoOperands: Bool { operands.isEmpty }

  /// Typed text of the option's value.
  func text(of option: OptionDeclaration) -> String? {
    guard let parsed = parsedValue(option), parsed.origin != .settings else { return nil }
    if let text = parsed.text { return text }
    switch parsed.value {
    case let flag as Bool: return flag ? "on" : "off"
    case let count as Int: return String(count)
    default: return option.defaultText
    }
  }

  /// How the option was typed: `--output` can be `-o` or `--json`.
  public func spelling(of option: any Declared) -> String {
    parsedValue(option.declaration)?.typed ?? "--\(option.declaration.name)"
  }

  private func parsedValue(_ option: OptionDeclaration) -> ParsedValue? {
    options.first { $0.name == option.name }
  }
}

extension Invocation {
  /// How the option was typed before, if that chose another value: `--demo` and `--url`.
  func rival(of option: OptionDeclaration, typed: String, text: String?) -> String? {
    guard let before = parsedValue(option), before.origin == .option, before.typed != typed,
      before.text != text
    else {
      return nil
    }
    return before.typed
  }

  /// `text` is what was typed, where that is a value; `typed` is the option as it was typed, by default its name.
  mutating func set(
    _ option: OptionDeclaration, to value: any Sendable, text: String? = nil, typed: String? = nil
  ) {
    put(ParsedValue(name: option.name, value: value, text: text, typed: typed))
  }

  /// Applies `--no-NAME`: a flag is off then, and another option has its default.
  mutating func takeBack(_ option: OptionDeclaration, typed: String? = nil) {
    let typed = typed ?? "--no-\(option.name)"
    if case .flag(startsOn: true) = option.kind { return set(option, to: false, typed: typed) }
    put(ParsedValue(name: option.name, value: option.fallback(), typed: typed, origin: .takenBack))
  }

  mutating func append(_ option: OptionDeclaration, _ value: any Sendable, typed: String? = nil) {
    let before = parsedValue(option)?.value as? [any Sendable] ?? []
    set(option, to: before + [value], typed: typed)
  }

  mutating func count(_ option: OptionDeclaration, typed: String? = nil) {
    set(option, to: (parsedValue(option)?.value as? Int ?? 0) + 1, typed: typed)
  }

  /// A value from a variable or the configuration: it gives way to what was typed.
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
