import System

/// Problems of this machine's settings, for `hw config list` and `hw check --self`.
public struct ConfigurationReview: Sendable {
  /// Unknown settings and variables, a missing file, a secret that others can read.
  public let warnings: [String]
  public let faults: [String]

  public init(_ configuration: Configuration, _ context: Context) {
    let keys = context.configurationKeys(with: configuration)
    var warnings = ConfigurationReview.unknownSettings(configuration, keys)
    let known = ConfigurationReview.variables(keys, context.program)
    for name in ConfigurationReview.unknownVariables(context.environment, known) {
      let hint = Suggestion.phrase(for: name, among: known).map { "; \($0)" } ?? ""
      warnings.append("unknown variable '\(name)'\(hint)")
    }
    if let problem = (try? ConfigurationFile(context.environment))?.missingProblem {
      warnings.append(problem)
    }
    let secrets = Set(keys.filter(\.isSecret).map(\.name))
    if configuration.settings.contains(where: { secrets.contains($0.key) }),
      File.isReadableByOthers(configuration.path)
    {
      warnings.append("'\(configuration.path)' holds a secret, and others can read it: 'chmod 600' helps")
    }
    self.warnings = warnings

    var faults = configuration.invalidLines.map { "'\(configuration.path)', line \($0.line) \($0.problem)" }
    for setting in configuration.settings {
      guard let key = keys.first(where: { $0.name == setting.key }),
        let problem = key.problemInFile(of: setting.value)
      else { continue }
      faults.append("'\(configuration.path)', line \(setting.line): \(problem)")
    }
    // A variable for all suites belongs to a key of each of them.
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

  /// Problems that every command reports: unknown names in the file, and misspelled variables, which have no effect.
  static func commonProblems(
    _ configuration: Configuration, _ program: Program, _ environment: Environment
  ) -> [String] {
    let hasVariables = environment.hasVariable(beginningWith: "HW_")
    guard hasVariables || !configuration.isEmpty else { return [] }
    let keys = program.configurationKeys
    var problems = unknownSettings(configuration, keys)
    guard hasVariables else { return problems }
    let known = variables(keys, program)
    for name in unknownVariables(environment, known) {
      guard let meant = Suggestion.nearest(to: name, among: known, within: 2) else { continue }
      problems.append("unknown variable '\(name)'; did you mean '\(meant)'?")
    }
    return problems
  }

  private static func unknownSettings(_ configuration: Configuration, _ keys: [ConfigurationKey]) -> [String]
  {
    let names = Set(keys.map(\.name))
    return configuration.settings.filter { !names.contains($0.key) && !$0.key.hasPrefix(Aliases.prefix) }
      .prefix(100).map { setting in
        let hint = ConfigurationKey.suggestion(for: setting.key, among: keys).map { "; \($0)" } ?? ""
        return "'\(configuration.path)', line \(setting.line): unknown setting '\(setting.key)'\(hint)"
      }
  }

  private static func variables(_ keys: [ConfigurationKey], _ program: Program) -> [String] {
    keys.flatMap(\.variables) + program.documentedVariables
  }

  private static func unknownVariables(_ environment: Environment, _ known: [String]) -> [String] {
    let known = Set(known)
    return environment.all.keys.filter { $0.hasPrefix("HW_") && !known.contains($0) }.sorted()
  }
}
