import System

/// Aliases in the configuration: with `alias.lakers = nba games LAL`, `hw lakers --json` is `hw nba games LAL --json`.
/// Aliases never replace commands of hw and are not nested.
public struct Aliases: Sendable {
  static let prefix = "alias."

  private let program: Program
  private let configuration: Configuration

  public init(_ program: Program, _ configuration: Configuration) {
    self.program = program
    self.configuration = configuration
  }

  /// Aliases of the configuration file, unless `options`, the words before a command, exclude it.
  static func effective(
    _ program: Program, _ environment: Environment, options: [String]
  ) throws(Failure) -> Aliases {
    let option = StandardOptions.configuration.declaration
    let last = options.last { $0 == "--\(option.name)" || $0 == "--no-\(option.name)" }
    guard last != "--no-\(option.name)", let file = try? ConfigurationFile(environment) else {
      return Aliases(program, Configuration(path: ""))
    }
    return Aliases(program, try file.read())
  }

  public var all: [(name: String, text: String)] {
    var texts: [String: String] = [:]
    for setting in configuration.settings where setting.key.hasPrefix(Aliases.prefix) {
      texts[String(setting.key.dropFirst(Aliases.prefix.count))] = setting.value
    }
    return texts.filter { isUsable($0.key) && problem(of: $0.value, at: $0.key) == nil }.sorted(by: <)
      .map { (name: $0.key, text: $0.value) }
  }

  /// Words of an alias; nil if there is none. Fails (`usage`) if it cannot be used.
  public func words(of name: String) throws(Failure) -> [String]? {
    guard isUsable(name), let (text, line) = configuration[Aliases.prefix + name] else { return nil }
    if let problem = problem(of: text, at: name) {
      throw Failure(
        .usage, "alias '\(name)' (\(configuration.path):\(line)) \(problem)",
        hint:
          "change it with \(ShellWord.command(program.name, "config", "set", Aliases.prefix + name, "COMMAND"))"
      )
    }
    return ShellWord.split(text)
  }

  /// Fails (`usage`) unless the alias could have this name and this text.
  func check(_ name: String, _ text: String) throws(Failure) {
    guard PlugIns.isName(name) else {
      throw Failure(
        .usage, "'\(name)' is not a name of an alias", hint: "use letters, digits, '-', '.' and '_'")
    }
    guard isUsable(name) else {
      throw Failure(.usage, "'\(name)' is a command of \(program.name), which no alias replaces")
    }
    if let problem = problem(of: text, at: name) { throw Failure(.usage, "alias '\(name)' \(problem)") }
  }

  private func isUsable(_ name: String) -> Bool {
    PlugIns.isName(name) && !program.suiteNames.contains(name) && program.tool(named: name) == nil
  }

  /// Problem of an alias's text, as the rest of a sentence.
  private func problem(of text: String, at name: String) -> String? {
    guard let words = ShellWord.split(text) else { return "has a quote that is not closed" }
    guard case (.unknown(let first, _), _)? = try? CommandLocator(program: program).locate(words),
      first == name || isUsable(first) && configuration[Aliases.prefix + first] != nil
    else { return nil }
    return "begins with the alias '\(first)', and an alias is expanded once"
  }

  /// Command line with the words of an alias. `options`, typed before the alias, take precedence over its own.
  static func expanded(_ words: [String], before options: [String], after arguments: [String]) -> [String] {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    return words[..<end] + options + words[end...] + arguments
  }
}

extension Context {
  public var aliases: Aliases { Aliases(program, call.configuration) }
}
