import System

/// Finds the command of a command line. Options may precede its name, so this skips them and their values.
struct CommandLocator {
  let program: Program

  enum Target: Sendable {
    case program
    case suite(Suite)
    case command(Command, suite: String?)
    /// No suite or tool: perhaps a plug-in, which reads the arguments itself.
    case unknown(name: String, arguments: [String])
  }

  /// Finds the target of the command line, and the remaining words: options and operands, or the options before an
  /// unknown name.
  func locate(_ words: [String]) throws(Failure) -> (target: Target, rest: [String]) {
    var rest: [String] = []
    var suite: Suite?
    var words = words[...]
    while words.first != "--", let word = words.popFirst() {
      if word.hasPrefix("-"), word != "-" {
        rest.append(word)
        if takesNextWord(word), let value = words.popFirst() { rest.append(value) }
      } else if let suite, word == "help", let help = program.tool(named: word) {
        return (.command(help, suite: nil), rest + [suite.name] + words)
      } else if let suite {
        return (.command(try suite.command(word, in: program), suite: suite.name), rest + words)
      } else if let found = program.suite(named: word) {
        suite = found
      } else if let tool = program.tool(named: word) {
        return (.command(tool, suite: nil), rest + words)
      } else if word == Command.completeName {
        return (.command(.complete, suite: nil), rest + words)
      } else {
        return (.unknown(name: word, arguments: Array(words)), rest)
      }
    }
    return (suite.map(Target.suite) ?? .program, rest + words)
  }

  func takesNextWord(_ word: String) -> Bool { optionWithNextWord(word) != nil }

  /// Option whose value is the next word. An option means the same in all commands, so the first is sufficient.
  func optionWithNextWord(_ word: String) -> OptionDeclaration? {
    if word.hasPrefix("--") {
      // `--name=value` is no option's name, so it takes no further word.
      return find { $0.name == word.dropFirst(2) && $0.value != nil }
    }
    let letters = Array(word.dropFirst())
    for (position, letter) in letters.enumerated() {
      guard let option = find({ $0.short == letter && $0.value != nil }) else { continue }
      return position == letters.count - 1 ? option : nil
    }
    return nil
  }

  private func find(_ matches: (OptionDeclaration) -> Bool) -> OptionDeclaration? {
    let standard = StandardOptions.all + StandardSettings.all
    if let option = standard.first(where: matches) { return option }
    for suite in [program.tools] + program.suites {
      for command in suite.commands {
        let own = command.options.map(\.declaration) + command.settings.map(\.declaration)
        if let option = own.first(where: matches) { return option }
      }
    }
    return nil
  }
}

extension Program {
  /// Names of the suite and the command that a command line begins with, or of a plug-in.
  public func names(in words: [String]) -> [String] {
    switch try? CommandLocator(program: self).locate(words).target {
    case .command(let command, let suite): [suite, command.name].compactMap { $0 }
    case .suite(let suite): [suite.name]
    case .unknown(let name, _): [name]
    case .program, nil: []
    }
  }
}
