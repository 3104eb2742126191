import HTTP
import System

/// Name of a setting in the configuration file: an option, a secret or an alias.
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
    case alias(name: String, Aliases)
  }

  public var option: OptionDeclaration? { if case .option(let option) = content { option } else { nil } }

  public var isSecret: Bool { if case .secret = content { true } else { false } }

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
    if case .flag = option.kind { return [Choice("on", "turned on"), Choice("off", "turned off")] }
    return []
  }

  /// Hint for an unknown name: the settings with a prefix (`serve.log` for `log`), or the nearest.
  static func suggestion(for name: String, among keys: [ConfigurationKey]) -> String? {
    let full = keys.map(\.name).filter { $0.hasSuffix(".\(name)") }.joined(separator: "', '")
    return !full.isEmpty
      ? "did you mean '\(full)'?" : Suggestion.phrase(for: name, among: keys.map(\.name))
  }

  /// Throws if no source can have the value.
  private func check(_ text: String) throws(Failure) {
    try Configuration.check(value: text)
    if case .alias(let alias, let aliases) = content { return try aliases.check(alias, text) }
    guard let option else { return }
    _ = try Settings.read(text, option, name)
    if option.name == StandardOptions.url.declaration.name { _ = try URL(text) }
  }

  /// Throws if the configuration file cannot have the value. A variable can have more: a store with a password.
  public func checkInFile(_ text: String) throws(Failure) {
    try check(text)
    if let check = option?.value?.checkInFile { try check(text, name) }
  }

  /// Why the setting cannot have the value; nil if it can.
  public func problem(of value: String) -> String? {
    Result { () throws(Failure) in try check(value) }.failure?.message
  }

  /// Why the setting cannot have the value in the configuration file; nil if it can.
  public func problemInFile(of value: String) -> String? {
    Result { () throws(Failure) in try checkInFile(value) }.failure?.message
  }
}

extension Program {
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
    let standard = StandardOptions.all.filter(\.isSetting) + StandardSettings.all
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
        add(service.secretKey, nil, [service.variable] + credential.variables, nil)
      }
      if let service = suite.service { add(service.tokenKey, nil, [service.tokenVariable], nil) }
    }
    return keys
  }
}

extension Context {
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

public struct EffectiveSetting: Sendable {
  public let key: ConfigurationKey
  /// Effective value; nil if the setting is not set and has no default.
  public let value: String?
  public let origin: Origin

  public enum Origin: Equatable, Sendable {
    case flag(String)
    case variable(String)
    case line(Int, of: String, key: String)
    case fallback

    public var text: String {
      switch self {
      case .flag(let name), .variable(let name): name
      case .line(let number, let path, _): "\(path):\(number)"
      case .fallback: "default"
      }
    }
  }
}

extension Configuration {
  /// The first value in the order of precedence: of the variables, then of the keys.
  func value(
    of variables: [String], _ keys: [String], _ environment: Environment
  ) -> (text: String, origin: EffectiveSetting.Origin)? {
    for name in variables {
      if let text = environment[name] { return (text, .variable(name)) }
    }
    for key in keys {
      if let (text, line) = self[key] { return (text, .line(line, of: path, key: key)) }
    }
    return nil
  }
}

extension Context {
  /// Effective value of the setting under the options of this command line.
  public func setting(_ key: ConfigurationKey, in configuration: Configuration) -> EffectiveSetting {
    if let option = key.option, let text = call.text(of: option) {
      return EffectiveSetting(key: key, value: text, origin: .flag(call.spelling(of: option)))
    }
    let keys = [key.name, key.general].compactMap { $0 }
    let found = configuration.value(of: key.variables, keys, environment)
    return EffectiveSetting(
      key: key, value: found?.text ?? key.fallback, origin: found?.origin ?? .fallback)
  }

  /// Whether the setting has a value of its own, so it does not take that for all suites.
  public func isSuiteSpecific(_ key: ConfigurationKey, in configuration: Configuration) -> Bool {
    key.variables.first.flatMap { environment[$0] } != nil || configuration[key.name] != nil
  }
}
