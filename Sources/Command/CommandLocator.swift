import System

/// Finds out which command a command line is for. Options may stand before the command's name, so this walks over
/// them, and over their values, with the help of the whole table.
struct CommandLocator {
  let program: Program

  enum Target: Sendable {
    case program
    case suite(Suite)
    case command(Command, suite: String?)
    /// No suite and no tool of that name: perhaps a plug-in. The position is the name's.
    case unknown(name: String, at: Int)
  }

  struct Found {
    var target: Target
    /// The words that are names, not operands.
    var names: Set<Int>
  }

  func locate(_ words: [String]) throws(Failure) -> Found {
    var names: Set<Int> = []
    var suite: Suite?
    var index = 0
    while index < words.count, words[index] != "--" {
      let word = words[index]
      if word.hasPrefix("-"), word != "-" {
        index += takesNextWord(word) ? 2 : 1
        continue
      }
      names.insert(index)
      if let suite {
        return Found(target: .command(try suite.command(word, in: program), suite: suite.name), names: names)
      }
      suite = program.suites.first { $0.name == word }
      index += 1
      if suite != nil { continue }
      if let tool = program.tools.commands.first(where: { $0.name == word }) {
        return Found(target: .command(tool, suite: nil), names: names)
      }
      return Found(target: .unknown(name: word, at: index - 1), names: names)
    }
    return Found(target: suite.map(Target.suite) ?? .program, names: names)
  }

  /// Whether the value of this option is the word after it. The same option means the same in every command, so the
  /// first declaration that is found answers for all.
  private func takesNextWord(_ word: String) -> Bool {
    if word.hasPrefix("--") {
      // `--name=value` is no option's name, and so takes nothing more.
      return find { $0.name == word.dropFirst(2) }?.value != nil
    }
    let letters = Array(word.dropFirst())
    for (position, letter) in letters.enumerated() where find({ $0.short == letter })?.value != nil {
      return position == letters.count - 1
    }
    return false
  }

  private func find(_ matches: (OptionDeclaration) -> Bool) -> OptionDeclaration? {
    if let standard = StandardOptions.all.map(\.declaration).first(where: matches) { return standard }
    for suite in [program.tools] + program.suites {
      for command in suite.commands {
        if let option = command.options.map(\.declaration).first(where: matches) { return option }
      }
    }
    return nil
  }
}
