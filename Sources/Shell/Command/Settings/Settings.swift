import System

/// Applies variables and the configuration to a command line. The order of precedence is: option,
/// `HW_<SUITE>_<NAME>`, `HW_<NAME>`, the configuration's `<suite>.<name>`, its `<name>`, default. A setting of a tool
/// has only the names with the tool: `HW_SERVE_LISTEN` and `serve.listen`.
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

  /// Refuses unknown variables of a tool: with HW_SERVE_STORE for HW_STORE, a server would start on another store.
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

  /// Refuses the options of requests for a command on local data: '--explain' would not keep it from deleting. Refuses
  /// an address unless the data belongs to one: the command would list or delete data of another address.
  private func checkSource(_ call: Invocation) throws(Failure) {
    let needs = call.command.needs
    guard needs.contains(.loss) || call.suite != nil, !needs.contains(.network) else { return }
    var options: [any Declared] = [StandardOptions.explain, StandardOptions.record, StandardOptions.replay]
    if !needs.contains(.address) { options.append(StandardOptions.url) }
    guard let given = options.first(where: call.isGiven) else { return }
    throw Failure(
      .usage, "'\(call.spelling(of: given))' cannot be used with '\(call.commandName)'",
      hint: "leave it out: the command sends no request, it uses data of this machine")
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

  /// Refuses a replay with `--record`, and one of the settings with a typed address, which it would not use.
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
    let (variables, keys) = (option.variables(suite: suite), option.keys(suite: suite))
    return configuration.value(of: variables, keys, environment).map { text, origin in
      if case .line(_, _, let key) = origin { (text, "\(origin.text): \(key)") } else { (text, origin.text) }
    }
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
