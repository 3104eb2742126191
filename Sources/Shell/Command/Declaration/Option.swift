import System

/// Option: its declaration, and the key of its value in an `Invocation`. `call[limit]` is an `Int`.
public struct Option<Value: Sendable>: Declared {
  public let declaration: OptionDeclaration
  @usableFromInline let fallback: Value

  public init(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Value>, default fallback: Value,
    setting: SettingScope = .none, _ summary: String, details: String = ""
  ) {
    declaration = OptionDeclaration(
      name, short, summary, details, setting: setting,
      .value(ValueDeclaration(kind), default: { kind.show(fallback) }), fallback: fallback)
    self.fallback = fallback
  }

  /// An option without a default: nil if it is not given. `variable` is its `ownVariable`.
  public init<Wrapped>(
    _ name: String, short: Character? = nil, _ kind: ValueKind<Wrapped>, setting: SettingScope = .none,
    variable: String? = nil, _ summary: String, details: String = ""
  ) where Value == Wrapped? {
    declaration = OptionDeclaration(
      name, short, summary, details, setting: setting, ownVariable: variable,
      .value(ValueDeclaration(kind), default: nil), fallback: Value.none)
    fallback = nil
  }

  /// An option that may be given several times.
  public init<Element>(
    _ name: String, short: Character? = nil, each kind: ValueKind<Element>, _ summary: String,
    details: String = ""
  ) where Value == [Element] {
    declaration = OptionDeclaration(
      name, short, summary, details, setting: .none, .list(ValueDeclaration(kind)), fallback: Value())
    fallback = []
  }

  /// A flag: false unless it is given. `--no-NAME` turns off a flag with the default true, and help lists that form.
  public init(
    _ name: String, short: Character? = nil, default fallback: Bool = false, setting: SettingScope = .none,
    _ summary: String, details: String = ""
  ) where Value == Bool {
    declaration = OptionDeclaration(
      name, short, summary, details, setting: setting, .flag(startsOn: fallback), fallback: fallback)
    self.fallback = fallback
  }

  /// A flag that counts: `-vv` is 2.
  public init(
    counting name: String, short: Character? = nil, setting: SettingScope = .none, _ summary: String,
    details: String = ""
  ) where Value == Int {
    declaration = OptionDeclaration(name, short, summary, details, setting: setting, .counter, fallback: 0)
    fallback = 0
  }
}

/// Another spelling of one value of an option: `--json` is `--output json`.
public struct Shorthand: Declared {
  public let declaration: OptionDeclaration

  public init<Value>(
    _ name: String, for option: Option<Value>, _ text: String, _ summary: String, details: String = ""
  ) {
    declaration = OptionDeclaration(
      name, nil, summary, details, setting: .none, .shorthand(for: option.declaration.name, text),
      fallback: option.fallback)
  }
}

public protocol Declared: Excludable {
  var declaration: OptionDeclaration { get }
}

extension Declared {
  public var member: Exclusion.Member { .option(declaration) }
}

/// Option, or setting without an option, without the type of its value: for parser, help, manual and completion.
public final class OptionDeclaration: Declared {
  public enum Kind: Sendable {
    case flag(startsOn: Bool)
    case counter
    case value(ValueDeclaration, default: (@Sendable () -> String)?)
    case list(ValueDeclaration)
    case shorthand(for: String, String)
  }

  public let name: String
  public let short: Character?
  public let summary: String
  public let details: String
  let setting: SettingScope
  /// Addition to the summary in one command.
  let note: String
  /// Variable that the command reads if the option is not given. The configuration file cannot set it.
  public let ownVariable: String?
  public let kind: Kind
  /// Default, in a closure: boxing the value at start-up would cost more than everything else here.
  let fallback: @Sendable () -> any Sendable

  init(
    _ name: String, _ short: Character?, _ summary: String, _ details: String, setting: SettingScope,
    note: String = "", ownVariable: String? = nil, _ kind: Kind,
    fallback: @autoclosure @escaping @Sendable () -> any Sendable
  ) {
    self.name = name
    self.short = short
    self.summary = summary
    self.details = details
    self.setting = setting
    self.note = note
    self.ownVariable = ownVariable
    self.kind = kind
    self.fallback = fallback
  }

  public var declaration: OptionDeclaration { self }

  /// Returns the option for one command. `default` is shown in help, and does not change the value.
  func adapted(
    default text: String? = nil, value: ValueKind<Duration>? = nil, note: String = "",
    details sentence: String = ""
  ) -> OptionDeclaration {
    var kind = kind
    if let value { kind = .value(ValueDeclaration(value), default: nil) }
    if let text, case .value(let value, _) = kind { kind = .value(value, default: { text }) }
    return OptionDeclaration(
      name, short, summary, [details, sentence].filter { !$0.isEmpty }.joined(separator: " "),
      setting: setting, note: note, ownVariable: ownVariable, kind, fallback: self.fallback())
  }

  public var value: ValueDeclaration? {
    switch kind {
    case .value(let value, _), .list(let value): value
    case .flag, .counter, .shorthand: nil
    }
  }

  /// Form in help: a flag with the default true is only given to turn it off.
  public var spelling: String {
    if case .flag(startsOn: true) = kind { return "--no-\(name)" }
    return "--\(name)"
  }

  var isSetting: Bool { setting != .none }

  var defaultText: String? {
    switch kind {
    case .value(_, let text): text?()
    case .flag(let startsOn): startsOn ? "on" : "off"
    case .counter: "0"
    case .list, .shorthand: nil
    }
  }

  /// Variables that set the option, the suite's first: `HW_NODES_TIMEOUT`, `HW_TIMEOUT`.
  public func variables(suite: String?) -> [String] { keys(suite: suite).map(OptionDeclaration.variable) }

  /// Keys in the configuration, the suite's first: `nodes.timeout`, `timeout`.
  func keys(suite: String?) -> [String] {
    switch setting {
    case .none: []
    case .tool: [key]
    case .suites: (suite.map { ["\($0).\(name)"] } ?? []) + [key]
    }
  }

  /// Key for all suites or the tool: `timeout`, `serve.listen`.
  var key: String {
    if case .tool(let tool) = setting { "\(tool).\(name)" } else { name }
  }

  /// Variable for all suites or the tool: `HW_TIMEOUT`, `HW_SERVE_LISTEN`.
  var variable: String { OptionDeclaration.variable(for: key) }

  static func variable(for key: String) -> String {
    let name = key.uppercased().replacing("-", with: "_").replacing(".", with: "_")
    return "HW_\(name)"
  }
}

public struct ValueDeclaration: Sendable {
  private let describe: @Sendable () -> ValueDescription
  private let read: @Sendable (String) -> (any Sendable)?

  init<Value>(_ kind: ValueKind<Value>) {
    describe = kind.description
    read = { kind.read($0) }
  }

  public var valueName: String { describe().valueName }
  public var expects: String { describe().expects }
  public var choices: [Choice] { describe().choices }
  public var completion: Completion { describe().completion }
  var isInput: Bool { describe().isInput }
  /// Additional check in the configuration file, of the text and the name of the setting.
  var checkInFile: (@Sendable (String, String) throws(Failure) -> Void)? { describe().checkInFile }

  /// Reads the text for `subject`, which is named as it was typed: `--limit`, `-n`, `HW_LIMIT`.
  func read(_ text: String, for subject: String) throws(Failure) -> any Sendable {
    guard let value = read(text) else {
      guard !describe().isSecret else { throw Failure(.usage, "'\(subject)' requires \(expects)") }
      if let problem = describe().problem?(text) {
        throw Failure(.usage, "'\(subject)': \(problem)", hint: describe().hint)
      }
      throw Failure(
        .usage, "'\(subject)' requires \(expects), not '\(text)'",
        hint: Suggestion.phrase(for: text, among: choices.map(\.name)) ?? describe().hint)
    }
    return value
  }
}
