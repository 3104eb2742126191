import System

/// Fills in what was not typed. In order of strength: flag, `HW_<SUITE>_<NAME>`, `HW_<NAME>`, the configuration's
/// `<suite>.<name>`, its `<name>`, default.
struct Settings {
  let environment: Environment
  let configuration: Configuration

  func apply(to call: inout Invocation) throws(Failure) {
    // Mostly there is nothing, and then no name has to be put together.
    guard environment.hasVariable(beginningWith: "HW_") || !configuration.isEmpty else { return }
    for option in call.command.allOptions where option.isSetting && !call.isGiven(option) {
      if let (text, source) = find(option, suite: call.suite) {
        call.setQuietly(option, to: try Settings.read(text, option, source))
      }
    }
  }

  /// What is set, and where.
  private func find(_ option: OptionDeclaration, suite: String?) -> (text: String, source: String)? {
    for variable in option.variables(suite: suite) {
      if let text = environment[variable] { return (text, variable) }
    }
    for key in [suite.map { "\($0).\(option.name)" }, option.name].compactMap({ $0 }) {
      if let (text, line) = configuration[key] { return (text, "\(configuration.path):\(line): \(key)") }
    }
    return nil
  }

  /// Reads what was given for `subject`: a variable, or a line of the configuration.
  static func read(
    _ text: String, _ option: OptionDeclaration, _ subject: String
  ) throws(Failure) -> any Sendable {
    if let value = option.value { return try value.read(text, for: subject) }
    if case .counter = option.shape {
      return try ValueDeclaration(ValueKind<Int>.count(0...9)).read(text, for: subject)
    }
    return try ValueDeclaration(ValueKind<Bool>.flagText).read(text, for: subject)
  }
}

extension ValueKind where Value == Bool {
  /// How a variable or a configuration line turns a flag on or off.
  static var flagText: ValueKind {
    ValueKind("on|off", wants: "on or off (also true, yes, 1; false, no, 0)") { text in
      switch text.lowercased() {
      case "on", "true", "yes", "1": true
      case "off", "false", "no", "0": false
      default: nil
      }
    }
  }
}
