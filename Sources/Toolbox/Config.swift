import Command
import Output
import Store
import System
import Terminal

/// `hw config`: the configuration file, setting by setting.
extension Toolbox {
  public static let config = Suite(
    "config", "Settings: what they are, where they come from, changing them",
    discussion: """
      The configuration is a file of lines 'name = value', $XDG_CONFIG_HOME/hw/config, or what HW_CONFIG names. A name \
      is that of an option, for all suites (timeout) or for one (nodes.timeout), or a secret (nba.key). Lines that \
      begin with # are comments; they and the order of the lines stay when a setting is changed.

      An option on the command line is stronger than a variable for one suite, that than a variable for all, that \
      than the file, and that than the default.
      """,
    commands: [configGet, configSet, configUnset, configList, configPath]
  )

  static let configKey = Operand(
    "NAME", ValueKind<String>.text("NAME", .words(settingNames)), "A setting: 'timeout', 'nodes.lang'")
  static let configValue = Operand(
    optional: "VALUE", ValueKind<String>.text("VALUE", .words(settingValues)),
    "Its value; '-' reads it from standard input, as a secret has to be")
  static let settingNames = WordSource("setting-names", "the names of the settings") { context, _ in
    context.program.configurationKeys.map { Choice($0.name, $0.meaning) }
  }
  static let settingValues = WordSource("setting-values", "the values of the setting before") {
    context, name in
    context.program.configurationKeys.first { $0.name == name }?.choices ?? []
  }
  static let configOrigin = Option(
    "origin", "List every setting as it is in force, with flags, variables and defaults")

  static let configGet = Command(
    "get", "Print the value of a setting in the file",
    operands: [configKey],
    output: .plain("The value, as a line."),
    needs: [.configuration],
    examples: [
      Example("hw config set nodes.lang de && hw config get nodes.lang", "what was set"),
      Example("hw config get timeout", "what is not set in the file", exits: 3),
    ],
    failures: [.notFound, .storage]
  ) { call, context throws(Failure) in
    let key = try context.program.configurationKey(try call[configKey])
    guard let (value, _) = try ConfigurationFile(context.environment).read()[key.name] else {
      throw Failure(
        .notFound, "'\(key.name)' is not set in the file",
        hint: key.fallback.map { "its default is \($0)" } ?? "set it with 'hw config set \(key.name)'")
    }
    try context.output.outlet.write("\(value)\n")
  }

  static let configSet = Command(
    "set", "Change a setting in the file",
    discussion: """
      The value is held against what the option takes. A secret is never an argument, where other users could see it: \
      it comes from standard input.
      """,
    operands: [configKey, configValue],
    output: .plain("Nothing."),
    needs: [.configuration],
    examples: [
      Example("hw config set nodes.lang de && hw config list", "places in German from now on"),
      Example(
        "echo 3f2a | hw config set wordle.token - && hw config list", "a secret, which lists do not show"),
      Example("hw config set timeout never", "a value that the option would not take", exits: 2),
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let key = try context.program.configurationKey(try call[configKey])
    let value: String
    switch try call[configValue] {
    case "-":
      var lines = LineReader(context.input)
      guard let line = try lines.nextText(), !line.isEmpty else {
        throw Failure(.usage, "standard input holds no value")
      }
      value = line
    case let text?:
      guard !key.isSecret else {
        throw Failure(
          .usage, "'\(key.name)' is a secret, and does not belong on a command line",
          hint: "write 'hw config set \(key.name) -' and give it on standard input")
      }
      value = text
    case nil: throw Failure(.usage, "missing operand VALUE", hint: "'-' reads it from standard input")
    }
    try key.check(value)
    try ConfigurationFile(context.environment).change { configuration throws(Failure) in
      try configuration.set(key.name, to: value)
    }
  }

  static let configUnset = Command(
    "unset", "Take a setting out of the file",
    discussion: "On a terminal it asks before, where the setting is in the file.",
    operands: [configKey], options: [Confirmation.yes, Confirmation.dryRun],
    output: .plain("Nothing, also where it was not set; under --dry-run the lines that would go."),
    needs: [.configuration, .loss],
    examples: [
      Example(
        "hw config set nodes.lang de && hw config unset nodes.lang --yes && hw config path", "set and gone")
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let key = try context.program.configurationKey(try call[configKey])
    let file = try ConfigurationFile(context.environment)
    let lines = try file.read().settings.filter { $0.key == key.name }
    guard let last = lines.last else { return }
    func shown(_ value: String) -> String { "\(key.name) = \(key.isSecret ? SettingRow.mask : value)" }
    guard !call[Confirmation.dryRun] else {
      for (_, value, line) in lines {
        try context.output.outlet.write("\(file.path):\(line): \(shown(value))\n")
      }
      return
    }
    try context.confirmIfInteractive(
      "Take '\(shown(last.value).terminalSafe)' out of '\(file.path.terminalSafe)'?")
    try file.change { configuration in _ = configuration.unset(key.name) }
  }

  static let configList = Command(
    "list", "List the settings of the file, or all that are in force",
    discussion: "Secrets are not shown. A name in the file that hw does not know is told on standard error.",
    options: [configOrigin],
    output: .list(SettingRow.self, order: "as in the file; with --origin, settings of all suites first"),
    needs: [.configuration],
    examples: [
      Example("hw config list --origin --timeout 5", "every setting, its value and where it comes from"),
      Example("hw config list --json", "the file, for a program"),
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let keys = context.program.configurationKeys
    let configuration: Configuration
    do throws(Failure) {
      let file = try ConfigurationFile(context.environment)
      configuration = call[StandardOptions.configuration] ? try file.read() : Configuration(path: file.path)
    } catch {
      // Without a home there is no file, and settings are in force all the same.
      guard call[configOrigin], (try? ConfigurationFile(context.environment)) == nil else { throw error }
      configuration = Configuration(path: "")
    }
    for setting in configuration.settings where !keys.contains(where: { $0.name == setting.key }) {
      let hint = Suggestion.phrase(for: setting.key, among: keys.map(\.name)).map { "; \($0)" } ?? ""
      context.messages.report(
        "'\(configuration.path)', line \(setting.line): unknown setting '\(setting.key)'\(hint)")
    }
    let rows: [SettingRow]
    if call[configOrigin] {
      // Every suite has every setting. Only those that are set for the suite get a row, and its address and secret.
      rows = keys.filter { key in
        key.general == nil || key.name.hasSuffix(".url") || context.isSuiteSpecific(key, in: configuration)
      }.map { SettingRow(context.setting($0, in: configuration)) }
    } else {
      rows = configuration.settings.map { setting in
        let key = keys.first { $0.name == setting.key }
        return SettingRow(
          name: setting.key,
          value: key?.isSecret == true ? SettingRow.mask : PostgreSQLAddress.masked(setting.value),
          origin: "\(configuration.path):\(setting.line)")
      }
    }
    try context.output.write(rows)
  }

  static let configPath = Command(
    "path", "Print where the configuration file is",
    output: .plain("The path, whether there is a file or not."),
    needs: [.configuration],
    examples: [Example("hw config path", "for an editor")]
  ) { _, context throws(Failure) in
    try context.output.outlet.write("\(try ConfigurationFile(context.environment).path)\n")
  }
}

/// A setting as it is listed.
struct SettingRow: Row {
  let name: String
  let value: String?
  let origin: String

  static let mask = "********"

  static let fields: Fields<SettingRow> = [
    .text("name", "Setting", "its name") { $0.name },
    .text("value", "Value", "what it is; a secret is only hinted at", orNull: { $0.value }),
    .text("origin", "Origin", "the option, the variable, the line of the file, or 'default'") { $0.origin },
  ]
}

extension SettingRow {
  fileprivate init(_ setting: EffectiveSetting) {
    name = setting.key.name
    value =
      setting.key.isSecret
      ? setting.value.map { _ in SettingRow.mask } : setting.value.map(PostgreSQLAddress.masked)
    origin =
      switch setting.origin {
      case .flag(let name): name
      case .variable(let name): name
      case .line(let number, let path): "\(path):\(number)"
      case .fallback: "default"
      }
  }
}
