import HTTP
import System

/// Applies variables and the configuration to a command line. The order of precedence is: option,
/// `HW_<SUITE>_<NAME>`, `HW_<NAME>`, the configuration's `<suite>.<name>`, its `<name>`, default. A setting of a tool
/// has only the first names: `HW_SERVE_LISTEN` and `serve.listen`.
struct Settings {
  let environment: Environment
  let configuration: Configuration

  func apply(to call: inout Invocation) throws(Failure) {
    do throws(Failure) {
      try configuration.checkLines()
    } catch {
      try call.keepOrThrow(error)
    }
    // Without variables and settings, no names have to be formed.
    if environment.hasVariable(beginningWith: "HW_") || !configuration.isEmpty { try fillIn(&call) }
    try checkSource(call)
    try checkReplay(call)
  }

  /// Refuses unknown variables of a tool, like unknown options: with HW_SERVE_STORE instead of HW_STORE, a server
  /// would start on another store.
  private func checkVariables(of command: Command) throws(Failure) {
    let options = command.allOptions + command.allSettings
    guard options.contains(where: { $0.setting == .tool(command.name) }) else { return }
    let start = "HW_\(command.name.uppercased())_"
    let known = options.flatMap { $0.variables(suite: nil) }
    for name in environment.all.keys.sorted() where name.hasPrefix(start) && !known.contains(name) {
      let meant = options.first { OptionDeclaration.variable(for: "\(command.name).\($0.name)") == name }
      let hint = meant.map { option in
        option.variables(suite: nil).first.map { "\($0) sets \(option.spelling)" }
          ?? "give \(option.spelling) on the command line"
      }
      throw Failure(
        .usage, "unknown variable '\(name)'", hint: hint ?? Suggestion.phrase(for: name, among: known))
    }
  }

  /// Refuses the options of requests for a command on local data: '--explain' would not keep it from deleting, and
  /// with an address it could list or delete unrelated data, unless its data belongs to an address.
  private func checkSource(_ call: Invocation) throws(Failure) {
    let needs = call.command.needs
    guard needs.contains(.loss) || call.suite != nil, !needs.contains(.network) else { return }
    var options: [any Declared] = [StandardOptions.explain, StandardOptions.record, StandardOptions.replay]
    if !needs.contains(.address) { options.append(StandardOptions.url) }
    guard let given = options.first(where: call.isGiven) else { return }
    throw Failure(
      .usage, "'\(call.spelling(of: given))' cannot be used with '\(call.commandName)'",
      hint: "the command sends no request: it uses data of this machine")
  }

  private func fillIn(_ call: inout Invocation) throws(Failure) {
    try checkVariables(of: call.command)
    let options = call.command.allOptions.filter(\.isSetting) + call.command.allSettings
    for option in options where !call.isDecided(option) {
      guard let (text, source) = find(option, suite: call.suite) else { continue }
      do throws(Failure) {
        call.setFromSettings(option, to: try Settings.read(text, option, source))
      } catch {
        try call.keepOrThrow(error)
      }
    }
  }

  /// Refuses a replay with `--record`, since it sends nothing, or with a typed address, which it would not use. A
  /// typed '--replay' allows an address.
  private func checkReplay(_ call: Invocation) throws(Failure) {
    let (replay, record, url) = (StandardOptions.replay, StandardOptions.record, StandardOptions.url)
    guard call.command.needs.contains(.network), call[replay] != nil else { return }
    let other: String
    if call[record] != nil {
      other = name(of: record, in: call)
    } else if call.isGiven(url), !call.isGiven(replay) {
      other = call.spelling(of: url)
    } else {
      return
    }
    let settings = [(record, "--no-record"), (replay, "--no-replay")]
      .filter { call[$0.0] != nil && !call.isGiven($0.0) }.map { "'\($0.1)'" }
    throw Failure(
      .usage, "'\(other)' and '\(name(of: replay, in: call))' exclude each other",
      hint: settings.isEmpty
        ? "remove one of them" : "ignore the setting with \(settings.joined(separator: " or "))")
  }

  private func name(of option: Option<String?>, in call: Invocation) -> String {
    let typed = call.spelling(of: option)
    guard !call.isGiven(option) else { return typed }
    return find(option.declaration, suite: call.suite)?.source ?? typed
  }

  private func find(_ option: OptionDeclaration, suite: String?) -> (text: String, source: String)? {
    for variable in option.variables(suite: suite) {
      if let text = environment[variable] { return (text, variable) }
    }
    for key in option.keys(suite: suite) {
      if let (text, line) = configuration[key] { return (text, "\(configuration.path):\(line): \(key)") }
    }
    return nil
  }

  /// Reads the text for `subject`: a variable, or a line of the configuration.
  static func read(
    _ text: String, _ option: OptionDeclaration, _ subject: String
  ) throws(Failure) -> any Sendable {
    if let value = option.value { return try value.read(text, for: subject) }
    if case .counter = option.kind {
      return try ValueDeclaration(ValueKind<Int>.count(0...9)).read(text, for: subject)
    }
    return try ValueDeclaration(ValueKind<Bool>.flagText).read(text, for: subject)
  }
}

extension ValueKind where Value == Bool {
  static var flagText: ValueKind {
    ValueKind("on|off", expects: "on or off (also true, yes, 1; false, no, 0)") { text in
      switch text.lowercased() {
      case "on", "true", "yes", "1": true
      case "off", "false", "no", "0": false
      default: nil
      }
    }
  }
}

public struct ConfigurationKey: Sendable {
  /// `timeout` for every suite, `nodes.timeout` for one.
  public let name: String
  let content: Content
  /// Variables that set it, in order of precedence.
  public let variables: [String]
  /// Name of the setting for all suites that this one overrides.
  public let general: String?
  public let fallback: String?

  enum Content: Sendable {
    case option(OptionDeclaration)
    case secret
    /// Words of an alias, and its name.
    case alias(name: String, Aliases)
  }

  public var option: OptionDeclaration? { if case .option(let option) = content { option } else { nil } }

  public var isSecret: Bool { if case .secret = content { true } else { false } }

  /// Meaning of the setting, in one phrase.
  public var meaning: String {
    switch content {
    case .option(let option): option.settingMeaning
    case .secret: "A secret"
    case .alias: "An alias"
    }
  }

  /// Accepted words; empty if any text may be accepted.
  public var choices: [Choice] {
    guard let option else { return [] }
    if let value = option.value { return value.choices }
    if case .flag = option.kind {
      return [Choice("on", "turned on"), Choice("off", "turned off")]
    }
    return []
  }

  /// Hint for an unknown name: the setting of a tool without its prefix (`serve.log` for `log`), or the nearest.
  static func suggestion(for name: String, among keys: [ConfigurationKey]) -> String? {
    let full = keys.first { $0.name.hasSuffix(".\(name)") }
    return full.map { "did you mean '\($0.name)'?" }
      ?? Suggestion.phrase(for: name, among: keys.map(\.name))
  }

  public func check(_ text: String) throws(Failure) {
    try Configuration.check(value: text)
    if case .alias(let alias, let aliases) = content { return try aliases.check(alias, text) }
    guard let option else { return }
    _ = try Settings.read(text, option, name)
    if option.name == StandardOptions.url.declaration.name { _ = try URL(text) }
  }

  /// Throws if the configuration file cannot have the value, which a variable may have.
  public func checkInFile(_ text: String) throws(Failure) {
    try check(text)
    if let check = option?.value?.checkInFile { try check(text, name) }
  }
}

extension Program {
  /// All keys, those for all suites first.
  public var configurationKeys: [ConfigurationKey] {
    var keys: [ConfigurationKey] = []
    var seen: Set<String> = []
    func add(
      _ name: String, _ option: OptionDeclaration?, _ variables: [String], general: String? = nil,
      _ fallback: String?
    ) {
      guard seen.insert(name).inserted else { return }
      keys.append(
        ConfigurationKey(
          name: name, content: option.map { .option($0) } ?? .secret, variables: variables, general: general,
          fallback: fallback))
    }
    let standard = StandardOptions.all.map(\.declaration).filter(\.isSetting) + StandardSettings.all
    for option in standard { add(option.name, option, option.variables(suite: nil), option.defaultText) }
    for suite in [tools] + suites {
      let commands = suite.commands
      let own =
        commands.flatMap(\.options).map(\.declaration).filter(\.isSetting)
        + commands.flatMap(\.settings).map(\.declaration)
      for option in own { add(option.key, option, option.variables(suite: nil), option.defaultText) }
      guard suite.hasBackend else { continue }
      for option in standard + own {
        let address = option.name == StandardOptions.url.declaration.name ? suite.service?.address : nil
        add(
          "\(suite.name).\(option.name)", option, option.variables(suite: suite.name),
          general: option.name, address ?? option.defaultText)
      }
      if let service = suite.service, let credential = service.credential {
        add("\(suite.name).\(credential.setting)", nil, [service.variable] + credential.variables, nil)
      }
      if let service = suite.service { add(service.tokenKey, nil, [service.tokenVariable], nil) }
    }
    return keys
  }

}

extension Context {
  /// Keys of the program, and the aliases of the configuration.
  public func configurationKeys(with configuration: Configuration) -> [ConfigurationKey] {
    let aliases = configuration.settings.map(\.key).filter { $0.hasPrefix(Aliases.prefix) }
    return program.configurationKeys + Set(aliases).sorted().map { key(ofAlias: $0, configuration) }
  }

  private func key(ofAlias key: String, _ configuration: Configuration) -> ConfigurationKey {
    let name = String(key.dropFirst(Aliases.prefix.count))
    return ConfigurationKey(
      name: key, content: .alias(name: name, Aliases(program, configuration)), variables: [],
      general: nil, fallback: nil)
  }

  /// Key of that name, or a failure that names the nearest.
  public func configurationKey(
    _ name: String, with configuration: Configuration
  ) throws(Failure) -> ConfigurationKey {
    if name.hasPrefix(Aliases.prefix) { return key(ofAlias: name, configuration) }
    let keys = configurationKeys(with: configuration)
    if let key = keys.first(where: { $0.name == name }) { return key }
    throw Failure(
      .usage, "unknown setting '\(name)'",
      hint: ConfigurationKey.suggestion(for: name, among: keys) ?? "'hw config list --origin' lists them")
  }
}

extension OptionDeclaration {
  var defaultText: String? {
    switch kind {
    case .value(_, let text): text?()
    case .flag(let startsOn): startsOn ? "on" : "off"
    case .counter: "0"
    case .list, .shorthand: nil
    }
  }
}

public struct EffectiveSetting: Sendable {
  public let key: ConfigurationKey
  /// Effective value; nil if the setting is not set and has no default.
  public let value: String?
  public let origin: Origin

  public enum Origin: Equatable, Sendable {
    case flag(String)
    case variable(String)
    case line(Int, of: String)
    case fallback
  }
}

extension Context {
  /// Effective value of the setting under the options of this command line.
  public func setting(_ key: ConfigurationKey, in configuration: Configuration) -> EffectiveSetting {
    if let option = key.option, let text = call.text(of: option) {
      return EffectiveSetting(key: key, value: text, origin: .flag(call.spelling(of: option)))
    }
    for variable in key.variables {
      if let text = environment[variable] {
        return EffectiveSetting(key: key, value: text, origin: .variable(variable))
      }
    }
    for name in [key.name, key.general].compactMap({ $0 }) {
      if let (text, line) = configuration[name] {
        return EffectiveSetting(key: key, value: text, origin: .line(line, of: configuration.path))
      }
    }
    return EffectiveSetting(key: key, value: key.fallback, origin: .fallback)
  }

  /// Whether the setting is set for this suite alone.
  public func isSuiteSpecific(_ key: ConfigurationKey, in configuration: Configuration) -> Bool {
    key.variables.first.flatMap { environment[$0] } != nil || configuration[key.name] != nil
  }
}
