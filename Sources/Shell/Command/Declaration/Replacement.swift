import System

/// Answer to a former name, to a setting that is typed as an option, or to an option that lists of other commands have.
public struct Replacement: Sendable {
  let name: String
  /// Why the name is unavailable, as the rest of a sentence; nil if it is unknown.
  private let problem: String?
  let hint: String

  /// Former name of a command (`plan`), of an option of one command (`rows --at`), or of all (`--location`).
  public init(_ name: String, _ hint: String = "it was removed") { self.init(name, problem: nil, hint) }

  init(_ name: String, problem: String?, _ hint: String) {
    self.name = name
    self.problem = problem
    self.hint = hint
  }

  fileprivate init(setting: OptionDeclaration, suite: String?) {
    let value =
      if case .flag(let startsOn) = setting.kind {
        startsOn ? "off" : "on"
      } else {
        setting.value.map { $0.choices.isEmpty ? $0.valueName : "NAME" } ?? "N"
      }
    let (variable, key) = (setting.variables(suite: suite)[0], setting.keys(suite: suite)[0])
    self.init(
      setting.name, problem: "is a setting", "set \(variable), or run 'hw config set \(key) \(value)'")
  }

  func failure(_ typed: String) -> Failure {
    Failure(.usage, problem.map { "'\(typed)' \($0)" } ?? "unknown option '\(typed)'", hint: hint)
  }
}

extension Command {
  func replacement(of option: String, suite: String?, in program: Program?) -> Replacement? {
    let option = "--\(option.hasPrefix("no-") ? String(option.dropFirst(3)) : option)"
    let owner = suite.flatMap { program?.suite(named: $0) } ?? program?.tools
    // Names in these have no dashes, those that a suite declares have.
    let known =
      (output.list?.replacements(in: suite.map { "\($0) \(name)" } ?? name) ?? [])
      + settings.map { Replacement(setting: $0.declaration, suite: suite) }
      + StandardSettings.all.map { Replacement(setting: $0, suite: nil) }
    return owner?.replacements.first { $0.name == "\(name) \(option)" || $0.name == option }
      ?? known.first { "--\($0.name)" == option }
  }
}
