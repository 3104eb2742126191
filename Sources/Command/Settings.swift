import System

/// Fills in what was not typed. In order of strength: flag, `HW_<SUITE>_<NAME>`, `HW_<NAME>`, default.
struct Settings {
  let environment: Environment

  func apply(to call: inout Invocation) throws(Failure) {
    for option in (call.command.options + StandardOptions.all).map(\.declaration) where option.isSetting {
      guard !call.given.contains(option.name) else { continue }
      for variable in option.variables(suite: call.suite) {
        guard let text = environment[variable] else { continue }
        call.setQuietly(option, to: try read(text, option, variable))
        break
      }
    }
  }

  private func read(_ text: String, _ option: OptionDeclaration, _ variable: String) throws(Failure)
    -> any Sendable
  {
    if let value = option.value { return try value.read(text, for: variable) }
    if case .counter = option.shape {
      return try ValueDeclaration(ValueKind<Int>.count(0...9)).read(text, for: variable)
    }
    return try ValueDeclaration(ValueKind<Bool>.flagText).read(text, for: variable)
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
