import HTTP
import System

/// Completion words from data on this machine: ids of stored objects, names in cached responses. Never from the
/// network, so that a key press does not wait for a service.
public struct WordSource: Sendable {
  let words: @Sendable (Context, _ after: String?) throws(Failure) -> [Choice]

  /// `after` is the word before the one that is typed.
  public init(words: @escaping @Sendable (Context, _ after: String?) throws(Failure) -> [Choice]) {
    self.words = words
  }

  /// Words from a service, whose endpoint responds without a network, or fails.
  public init(
    of service: Service,
    words: @escaping @Sendable (Endpoint) throws(Failure) -> [Choice]
  ) {
    self.init { context, _ throws(Failure) in
      try words(context.forSuite(service.suite).offlineEndpoint(service))
    }
  }

  /// User's own commands: aliases of the configuration and plug-ins on `PATH`.
  static let ownCommands = WordSource { context, _ in
    let aliases = context.aliases.all.map { Choice($0.name, "an alias: \(context.program.name) \($0.text)") }
    let plugIns = context.plugIns.filter { name in !aliases.contains { $0.name == name } }
    return aliases + plugIns.map { Choice($0, "a plug-in") }
  }
}

extension Context {
  /// Words of the source for a line that is being typed, whose options select the service. Leaves out words with
  /// control or invisible characters, which cannot be typed; removes these from meanings, where they could add words.
  public func words(of source: WordSource, on line: [String]) throws(Failure) -> [Choice] {
    try source.words(withOptions(of: line), line.last)
      .filter { !$0.name.isEmpty && $0.name.terminalSafe == $0.name }
      .map { Choice($0.name, $0.meaning.terminalSafe) }
  }

  /// Context with the options of an unfinished line that select service and account; the rest may be invalid.
  func withOptions(of line: [String]) -> Context {
    let secrets = program.secretFiles
    let reader = Command(
      call.command.name, "", options: secrets, output: .plain(""), needs: [.network], examples: []
    ) { _, _ in
    }
    let parser = Parser(command: reader, suite: nil)
    var typed = Invocation(reader, suite: nil)
    if case .run(let call)? = try? parser.parse(serviceWords(of: line)) { typed = call }
    typed.configuration = typed[StandardOptions.configuration] ? call.configuration : Configuration(path: "")
    return Context(program: program, call: typed, host: host, output: output)
  }

  /// Words of the line that are options about the service or the account, with their values.
  private func serviceWords(of line: [String]) -> [String] {
    let locator = CommandLocator(program: program)
    var options = [
      StandardOptions.url.declaration, StandardOptions.demo.declaration,
      StandardOptions.configuration.declaration,
    ]
    if case .command(let command, _)? = try? locator.locate(line).target {
      let files = program.secretFiles.map(\.name)
      options += command.options.map(\.declaration).filter { files.contains($0.name) }
    }
    var found: [String] = []
    var words = line[...]
    while let word = words.popFirst(), word != "--" {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options.first(where: { [$0.spelling, "--\($0.name)"].contains(parts[0]) }) else {
        // The value of another option is not an option.
        if word.hasPrefix("-"), locator.takesNextWord(word) { _ = words.popFirst() }
        continue
      }
      guard option.value != nil else {
        found.append(word)
        continue
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst() else { break }
      // Standard input is the terminal on which the line is typed.
      guard value != "-" else { continue }
      let home = value.hasPrefix("~/") ? environment["HOME"] : nil
      found.append("\(parts[0])=\(home.map { $0 + value.dropFirst() } ?? value)")
    }
    return found
  }
}

extension Program {
  /// Options that name a file with a secret of a service.
  var secretFiles: [OptionDeclaration] {
    var files = [Service.tokenFile.declaration]
    for file in services.compactMap({ $0.credential?.file.declaration })
    where !files.contains(where: { $0.name == file.name }) {
      files.append(file)
    }
    return files
  }
}
