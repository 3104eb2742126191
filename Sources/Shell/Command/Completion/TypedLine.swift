import Output
import System

/// Command line that is being typed, with the candidates for its last word.
struct TypedLine {
  private let context: Context
  private let program: Program
  private let locator: CommandLocator
  private var words: [String]

  enum Answer {
    case candidates(Candidates)
    /// A plug-in prints the candidates; it is called with these words.
    case plugIn(String, [String])
  }

  struct Candidates {
    var words: [Choice] = []
    /// Text before each candidate in the same word: `--output=`, or the first elements of a list.
    var prefix = ""
    var completion = Completion.none
    /// More text follows each candidate, so no space is added.
    var isContinued = false
  }

  /// `words` follow the name of the program.
  init(_ words: [String], _ context: Context) {
    self.words = words
    self.context = context
    program = context.program
    locator = CommandLocator(program: program)
  }

  /// Suite and command as far as they are typed, and the operands before the last word.
  private struct Position {
    var suite: Suite?
    var command: Command?
    var operands: [String] = []
  }

  mutating func answer() throws(Failure) -> Answer {
    var position = Position()
    var (index, isBehindDashes, isExpanded) = (0, false, false)
    while index < words.count - 1 {
      let word = words[index]
      index += 1
      if isBehindDashes {
        position.operands.append(word)
      } else if word == "--" {
        if position.command?.operands.last?.declaration.count == .afterDashes {
          // Behind the dashes is a command line: hw completes its own, and files for any other program.
          guard words[index] == program.name, index < words.count - 1 else {
            return .candidates(Candidates(completion: .files))
          }
          var line = TypedLine(Array(words[(index + 1)...]), context)
          return try line.answer()
        }
        isBehindDashes = true
      } else if word.hasPrefix("-"), word != "-" {
        guard let option = locator.optionWithNextWord(word) else { continue }
        if index == words.count - 1 { return .candidates(try value(of: option, position, words[index])) }
        index += 1
      } else if position.command != nil {
        position.operands.append(word)
      } else if let suite = position.suite {
        guard let command = suite.commands.first(where: { $0.name == word }) else {
          return .candidates(Candidates())
        }
        position.command = command
      } else if let suite = program.suite(named: word) {
        position.suite = suite
      } else if let tool = program.tool(named: word) {
        position.command = tool
      } else if !isExpanded, let alias = try context.aliases.words(of: word) {
        // Aliases are not nested.
        isExpanded = true
        index -= 1
        words.replaceSubrange(index...index, with: alias)
      } else if let path = PlugIns(program: program, environment: context.environment).find(word) {
        return .plugIn(path, Array(words[index...]))
      } else {
        return .candidates(Candidates())
      }
    }
    return .candidates(try candidates(position, isBehindDashes: isBehindDashes))
  }

  private func candidates(_ position: Position, isBehindDashes: Bool) throws(Failure) -> Candidates {
    let word = words.last ?? ""
    guard !isBehindDashes, word.hasPrefix("-") else { return try operand(position) }
    let options = position.command?.allOptions ?? StandardOptions.all
    guard let equals = word.firstIndex(of: "=") else {
      return Candidates(words: options.map { Choice($0.spelling, $0.summary) })
    }
    guard let option = options.first(where: { "--\($0.name)" == word[..<equals] }) else {
      return Candidates()
    }
    var candidates = try value(of: option, position, String(word[word.index(after: equals)...]))
    candidates.prefix = word[...equals] + candidates.prefix
    return candidates
  }

  /// Values of an option, of which `text` is typed.
  private func value(
    of option: OptionDeclaration, _ position: Position, _ text: String
  ) throws(Failure) -> Candidates {
    // A command may declare the option with other values.
    let own = position.command?.allOptions.first { $0.name == option.name } ?? option
    var candidates = Candidates(completion: own.value?.completion ?? .none)
    let output = position.command?.output
    switch own.name {
    case StandardOptions.fields.declaration.name:
      guard let output, output.schemaRoot != nil else { break }
      candidates.words = output.columns.map { Choice($0.path, $0.meaning) }
      if !candidates.words.isEmpty { candidates.words.append(Choice("all", "every field")) }
      candidates.words.append(Choice("help", "list the fields"))
    case ListOptions.sort.declaration.name:
      candidates.words = output?.list?.sortable.map { Choice($0.path, $0.meaning) } ?? []
    case ListOptions.filter.declaration.name:
      candidates.words = output?.list?.sortable.map { Choice("\($0.path)=", $0.meaning) } ?? []
      candidates.isContinued = true
    default: candidates.words = own.value?.choices ?? []
    }
    // A list of fields: the text after its last comma is completed.
    if case .fields = candidates.completion {
      candidates.prefix = text.lastIndex(of: ",").map { String(text[...$0]) } ?? ""
      let chosen = candidates.prefix.split(separator: ",").map { $0.drop { $0 == "-" } }
      candidates.words.removeAll { word in chosen.contains { $0 == word.name } }
      if own.name == ListOptions.sort.declaration.name, text.dropFirst(candidates.prefix.count).hasPrefix("-")
      {
        candidates.prefix += "-"
      }
      candidates.isContinued = true
    }
    return try addingWords(to: candidates)
  }

  private func operand(_ position: Position) throws(Failure) -> Candidates {
    guard let command = position.command else {
      if let suite = position.suite { return Candidates(words: suite.choices) }
      let own = try context.words(of: .ownCommands, on: [])
      return Candidates(words: program.choices + own)
    }
    let operands = command.operands.map(\.declaration).filter { $0.count != .afterDashes }
    let before = position.operands
    guard let operand = before.count < operands.count ? operands[before.count] : operands.last,
      before.count < operands.count || operand.count == .rest
    else { return Candidates() }
    switch operand.value.completion {
    case .commands where before.isEmpty: return Candidates(words: program.choices)
    case .subjects where before.isEmpty:
      return Candidates(words: program.choices + Topic.all(program).map { Choice($0.name, $0.summary) })
    case .commands, .subjects:
      return Candidates(words: before.count == 1 ? program.suite(named: before[0])?.choices ?? [] : [])
    case .none, .files, .folders, .fields, .words, .wordsOrFiles:
      return try addingWords(
        to: Candidates(words: operand.value.choices, completion: operand.value.completion))
    }
  }

  private func addingWords(to candidates: Candidates) throws(Failure) -> Candidates {
    guard let source = candidates.completion.source else { return candidates }
    var candidates = candidates
    candidates.words += try context.words(of: source, on: words.dropLast())
    return candidates
  }
}

extension TypedLine.Candidates {
  /// Traits for a completion script: the shell completes `files` and `folders`; `nospace` adds no space to a word.
  fileprivate var traits: String {
    var traits: [String] = []
    switch completion {
    case .files, .wordsOrFiles: traits.append("files")
    case .folders: traits.append("folders")
    case .none, .fields, .commands, .subjects, .words: break
    }
    if isContinued { traits.append("nospace") }
    return traits.joined(separator: " ")
  }
}

extension ListDeclaration {
  fileprivate var sortable: [Column] { columns.filter(\.isSortable) }
}

extension Suite {
  fileprivate var choices: [Choice] { commands.map { Choice($0.name, $0.summary) } }
}

extension Program {
  fileprivate var choices: [Choice] { suites.map { Choice($0.name, $0.summary) } + tools.choices }
}

extension Command {
  private static let line = Operand(
    afterDashes: "WORD", ValueKind<String>("WORD", expects: "a word") { $0 },
    "The words of the line up to the cursor; the last one is completed")

  static let completeName = "__complete"

  /// Completes a command line for the shells' scripts. Lists and help leave the command out.
  static let complete = Command(
    completeName, "Print the words that complete a command line", operands: [line],
    output: .plain(
      """
      The first line says how to complete: 'files', 'folders' or 'nospace'. The others are words, each with its \
      meaning after a tab.
      """), examples: []
  ) { call, context throws(Failure) in
    let outlet = context.output.outlet
    var line = TypedLine(try call[line], context)
    switch try line.answer() {
    case .plugIn(let path, let words):
      try outlet.write("\n")
      try outlet.flush()
      try PlugIns(program: context.program, environment: context.environment)
        .exec(path, ["--hw-complete"] + words)
    case .candidates(let candidates):
      try outlet.write("\(candidates.traits)\n")
      for word in candidates.words { try outlet.write("\(candidates.prefix)\(word.name)\t\(word.meaning)\n") }
    }
  }
}
