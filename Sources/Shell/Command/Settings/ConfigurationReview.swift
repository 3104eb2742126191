import Output
import System

/// What is wrong with the settings of this machine: for `hw config list` and `hw check --self`.
public struct ConfigurationReview: Sendable {
  /// Names in the file that are no settings, variables that no command reads, a file that is missing, a secret that others
  /// can read.
  public let warnings: [String]
  /// Lines and values that commands refuse.
  public let faults: [String]

  public init(_ configuration: Configuration, _ context: Context) {
    let keys = context.configurationKeys(with: configuration)
    var warnings: [String] = []
    for setting in configuration.settings where !keys.contains(where: { $0.name == setting.key }) {
      let hint = ConfigurationKey.suggestion(for: setting.key, among: keys).map { "; \($0)" } ?? ""
      warnings.append(
        "'\(configuration.path)', line \(setting.line): unknown setting '\(setting.key)'\(hint)")
    }
    let known = keys.flatMap(\.variables) + context.program.documentedVariables + PlugIns.optionVariables
    for name in context.environment.all.keys.sorted() where name.hasPrefix("HW_") && !known.contains(name) {
      let hint = Suggestion.phrase(for: name, among: known).map { "; \($0)" } ?? ""
      warnings.append("unknown variable '\(name)'\(hint)")
    }
    if let file = try? ConfigurationFile(context.environment), file.isMissing {
      warnings.append("HW_CONFIG names '\(file.path)', which does not exist")
    }
    let secrets = Set(keys.filter(\.isSecret).map(\.name))
    if configuration.settings.contains(where: { secrets.contains($0.key) }),
      File.isReadableByOthers(configuration.path)
    {
      warnings.append("'\(configuration.path)' holds a secret, and others can read it: 'chmod 600' helps")
    }
    self.warnings = warnings

    var faults = configuration.damages.map { "'\(configuration.path)', line \($0.line) \($0.problem)" }
    for setting in configuration.settings {
      guard let key = keys.first(where: { $0.name == setting.key }),
        let problem = key.problemInFile(of: setting.value)
      else { continue }
      faults.append("'\(configuration.path)', line \(setting.line): \(problem)")
    }
    // A variable without the name of a suite is that of a key in each of them.
    var faulty: Set<String> = []
    for key in keys {
      for name in key.variables where !faulty.contains(name) {
        if let value = context.environment[name], let problem = key.problem(of: value) {
          faults.append("\(name): \(problem)")
          faulty.insert(name)
        }
      }
    }
    self.faults = faults
  }
}

extension ConfigurationKey {
  /// Why the setting cannot be this; nil if it can.
  public func problem(of value: String) -> String? { message { () throws(Failure) in try check(value) } }

  /// Why the setting cannot be this in the configuration file; nil if it can.
  public func problemInFile(of value: String) -> String? {
    message { () throws(Failure) in try checkInFile(value) }
  }

  /// Why a check fails.
  private func message(_ check: () throws(Failure) -> Void) -> String? {
    do throws(Failure) {
      try check()
      return nil
    } catch {
      return error.message
    }
  }
}
