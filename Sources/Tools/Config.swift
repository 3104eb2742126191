import Command
import HTTP
import Output
import Store
import System

extension Toolbox {
  public static let config = Suite(
    "config", "List and change settings",
    discussion: """
      The configuration is $XDG_CONFIG_HOME/hw/config, or the file in HW_CONFIG. Its lines are 'name = value'; # \
      begins a comment. A name is an option for all suites (timeout) or one suite (nodes.timeout), or a secret \
      (nba.key). A value may be quoted: in "..." \\" and \\\\ are escapes.

      Precedence: an option on the command line, a variable for one suite, a variable for all suites, the file, the \
      default.

      'alias.NAME' is a command of your own: with 'alias.lakers = nba games LAL', the alias lakers runs 'hw nba games \
      LAL' with the options and operands that follow. Words are divided as in a shell, and nothing else is expanded. \
      An alias cannot have the name of a command, and aliases do not nest.
      """,
    replacements: [Replacement("path", "'hw config list' begins with the path")],
    commands: [configGet, configSet, configUnset, configList]
  )

  static let configKey = Operand(
    "NAME", ValueKind<String>.text("NAME", .words(settingNames)),
    "A setting, such as timeout, nodes.lang or alias.lakers")
  static let configValue = Operand(
    optional: "VALUE", ValueKind<String>.text("VALUE", .words(settingValues)).orInput,
    "The value; '-' reads it from standard input")
  static let settingNames = WordSource { context, _ in
    let configuration = (try? ConfigurationFile(context.environment).read()) ?? Configuration(path: "")
    return context.configurationKeys(with: configuration).map { Choice($0.name, $0.meaning) }
  }
  static let settingValues = WordSource {
    context, name throws(Failure) in
    guard let key = context.program.configurationKeys.first(where: { $0.name == name }) else { return [] }
    guard key.choices.isEmpty, let source = key.option?.value?.completion.source else { return key.choices }
    return try context.words(of: source, on: [])
  }
  static let configOrigin = Option("origin", "List all settings with their values and origins")

  static let configGet = Command(
    "get", "Print a setting of the configuration file",
    discussion: "A secret is printed as it is; 'hw config list' masks it.",
    operands: [configKey],
    output: .one(StoredSetting.self, text: "The value."),
    needs: [.configuration],
    examples: [Example("hw config set nodes.lang de && hw config get nodes.lang", "print a setting")],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let file = try ConfigurationFile(context.environment)
    let configuration = try file.read()
    let key = try context.configurationKey(try call[configKey], with: configuration)
    try configuration.checkLines(of: key.name)
    guard let (value, line) = configuration[key.name] else {
      let effective = SettingRow(context.setting(key, in: configuration))
      throw Failure(
        .notFound, "'\(key.name)' is not set in the file",
        hint: effective.value.map {
          effective.origin == "default" ? "its default is \($0)" : "\($0) holds, from \(effective.origin)"
        } ?? "set it with 'hw config set \(key.name) \(key.isSecret ? "-" : "VALUE")'")
    }
    let problem = key.problemInFile(of: value)
    if let problem, context.output.settings.format == nil { context.messages.report(problem) }
    try context.output.write(
      StoredSetting(
        row: SettingRow(name: key.name, value: value, problem: problem, origin: "\(file.path):\(line)")))
  }

  static let configSet = Command(
    "set", "Change a setting in the configuration file",
    discussion: """
      The value is checked as the option would check it. Other lines stay, and so do comments. A secret is read from \
      standard input: other users could see an argument.
      """,
    operands: [configKey, configValue],
    output: .one(StoredSetting.self, text: "Nothing, unless a format such as --json is chosen."),
    needs: [.configuration],
    examples: [
      Example("hw config set nodes.lang de && hw config list", "show place names in German"),
      Example("echo 3f2a | hw config set wordle.token - && hw config list", "a secret from standard input"),
      Example("hw config set alias.lakers 'nba games LAL' && hw lakers --demo --limit 3", "add an alias"),
    ]
  ) { call, context throws(Failure) in
    let file = try ConfigurationFile(context.environment)
    let key = try context.configurationKey(try call[configKey], with: try file.read())
    let value: String
    switch try call[configValue] {
    case "-":
      value = try context.secret(in: "-", called: "value")
    case let text?:
      guard !key.isSecret else {
        throw Failure(
          .usage, "'\(key.name)' is a secret and not accepted on the command line",
          hint: "use 'hw config set \(key.name) -' and standard input")
      }
      value = text
    case nil: throw Failure(.usage, "missing operand VALUE", hint: "'-' reads it from standard input")
    }
    try key.checkInFile(value)
    var changed = Configuration(path: file.path)
    try file.change { configuration throws(Failure) in
      try configuration.set(key.name, to: value)
      changed = configuration
    }
    try report(key.name, key.isSecret ? SettingRow.mask : value, in: changed, context)
  }

  static let configUnset = Command(
    "unset", "Remove a setting from the configuration file",
    discussion: """
      The name may be unknown, if the file contains it. On a terminal the command asks for confirmation.
      """,
    operands: [configKey], options: [Confirmation.yes, Confirmation.dryRun],
    output: .one(
      StoredSetting.self,
      text: "Nothing, unless a format is chosen; with --dry-run the lines that would be removed."),
    needs: [.configuration, .loss],
    examples: [
      Example(
        "hw config set nodes.lang de && hw config unset nodes.lang --yes && hw config list",
        "set and remove a setting")
    ]
  ) { call, context throws(Failure) in
    let file = try ConfigurationFile(context.environment)
    let configuration = try file.read()
    let name = try call[configKey]
    let lines = configuration.settings.filter { $0.key == name }
    guard let last = lines.last else {
      try configuration.checkLines(of: name)
      _ = try context.configurationKey(name, with: configuration)
      return try report(name, nil, in: Configuration(path: file.path), context)
    }
    let key = context.configurationKeys(with: configuration).first { $0.name == name }
    guard !call[Confirmation.dryRun] else {
      guard context.output.settings.format == nil else {
        return try report(name, SettingRow.masked(last.value, of: key), in: configuration, context)
      }
      for (_, value, line) in lines {
        let text = "\(file.path):\(line): \(name) = \(SettingRow.masked(value, of: key))"
        try context.output.outlet.write(text.shown(on: context.output.settings.screen) + "\n")
      }
      return
    }
    let value = SettingRow.masked(last.value, of: key).terminalSafe
    try context.confirmIfInteractive("Remove '\(name) = \(value)' from '\(file.path.terminalSafe)'?")
    try file.change { configuration in configuration.unset(name) }
    try report(name, nil, in: Configuration(path: file.path), context)
  }

  /// Writes the setting after a change in machine formats only.
  private static func report(
    _ name: String, _ value: String?, in configuration: Configuration, _ context: Context
  ) throws(Failure) {
    guard context.output.settings.format != nil else { return }
    let line = configuration[name].map { ":\($0.line)" } ?? ""
    try context.output.write(
      StoredSetting(
        row: SettingRow(name: name, value: value, problem: nil, origin: configuration.path + line)))
  }

  static let configList = Command(
    "list", "List the settings of the configuration file",
    discussion: """
      The first row, HW_CONFIG, has the path of the file. Secrets are masked. Invalid lines and values are listed \
      with the problem. Reported on standard error: unknown names and variables HW_..., a file of HW_CONFIG that is \
      missing, and a secret that other users can read.
      """,
    options: [configOrigin],
    output: .list(
      SettingRow.self, order: "the path, then as in the file; with --origin, settings of all suites first"),
    needs: [.configuration],
    examples: [
      Example("hw config list --origin --timeout 5", "all settings, their values and origins"),
      Example("hw config list --json", "the file as JSON"),
    ]
  ) { call, context throws(Failure) in
    let configuration: Configuration
    do throws(Failure) {
      let file = try ConfigurationFile(context.environment)
      configuration = call[StandardOptions.configuration] ? try file.read() : Configuration(path: file.path)
    } catch {
      // Without a home directory there is no file, but there are settings.
      guard call[configOrigin], (try? ConfigurationFile(context.environment)) == nil else { throw error }
      configuration = Configuration(path: "")
    }
    let keys = context.configurationKeys(with: configuration)
    for warning in ConfigurationReview(configuration, context).warnings { context.messages.report(warning) }
    var rows: [SettingRow]
    if call[configOrigin] {
      // Each suite has every setting. Only its address, its secrets and what is set for it get a row.
      rows = keys.filter { key in
        key.general == nil || key.name.hasSuffix(".url") || context.isSuiteSpecific(key, in: configuration)
      }.map { SettingRow(context.setting($0, in: configuration)) }
    } else {
      rows = configuration.settings.map { setting in
        let key = keys.first { $0.name == setting.key }
        return SettingRow(
          name: setting.key,
          value: SettingRow.masked(setting.value, of: key),
          problem: key.map { $0.problemInFile(of: setting.value).map(SettingRow.maskedProblem) }
            ?? "unknown setting",
          origin: "\(configuration.path):\(setting.line)")
      }
    }
    rows += configuration.invalidLines.map { invalid in
      SettingRow(
        name: "", value: nil, problem: "the line \(invalid.problem)",
        origin: "\(configuration.path):\(invalid.line)")
    }
    if !configuration.path.isEmpty {
      let origin = context.environment["HW_CONFIG"] == nil ? "default" : "HW_CONFIG"
      rows.insert(
        SettingRow(name: "HW_CONFIG", value: configuration.path, problem: nil, origin: origin), at: 0)
    }
    try context.output.write(rows)
  }
}

struct SettingRow: Row {
  let name: String
  let value: String?
  let problem: String?
  let origin: String

  static let mask = "********"

  /// Masks a secret, and the value of an unknown setting, which may be a secret with a mistyped name. In an address,
  /// masks the password and the secrets of the query.
  static func masked(_ value: String, of key: ConfigurationKey?) -> String {
    guard let key, !key.isSecret else { return mask }
    if PostgreSQLAddress.isAddress(value) { return Secrets.shown(target: PostgreSQLAddress.masked(value)) }
    // The other form of libpq, 'host=db1.example password=...', which hw refuses.
    if value.lowercased().contains("password=") { return mask }
    return value.contains(":") ? Secrets.shown(address: value) : value
  }

  /// Masks the secrets of a value that the message may quote.
  fileprivate static func maskedProblem(_ problem: String) -> String {
    problem.contains("//") ? Secrets.withoutUser(problem) : problem
  }

  static let fields: Fields<SettingRow> = fields(value: "its value; secrets are masked")

  fileprivate static func fields(value: String) -> Fields<SettingRow> {
    [
      .text("name", "Setting", "the name of the setting") { $0.name },
      .text("value", "Value", value, orNull: { $0.value }),
      .text("problem", "Problem", "why it is invalid; null if it is valid", orNull: { $0.problem }),
      .text("origin", "Origin", "the option, the variable, the line of the file, or 'default'") { $0.origin },
    ]
  }
}

private struct StoredSetting: Row {
  let row: SettingRow

  static let fields: Fields<StoredSetting> = SettingRow.fields(value: "the value").map { $0.of { $0.row } }
  static let text: (@Sendable (StoredSetting, Screen?) -> String)? = { stored, screen in
    (stored.row.value ?? "").shown(on: screen)
  }
}

extension SettingRow {
  fileprivate init(_ setting: EffectiveSetting) {
    name = setting.key.name
    value = setting.value.map { SettingRow.masked($0, of: setting.key) }
    let problem: String? =
      switch setting.origin {
      case .fallback: nil
      case .line: setting.value.flatMap { setting.key.problemInFile(of: $0) }
      case .flag, .variable: setting.value.flatMap { setting.key.problem(of: $0) }
      }
    self.problem = problem.map(SettingRow.maskedProblem)
    origin = setting.origin.text
  }
}
