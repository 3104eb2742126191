import Output
import System

/// What a completion script has to know, drawn from the table once for all three shells.
struct CompletionTable {
  struct Entry {
    /// `nodes top`; empty for the program itself.
    var path: String
    var summary: String
    /// What may come next that is no option.
    var words: [Choice]
    var completion: Completion
    /// The options of this place beside the standard ones; `--fields` is among them where the fields are known.
    var options: [Offer]
  }

  /// An option as it is typed, and what completes its value.
  struct Offer {
    var short: Character?
    var long: String
    var summary: String
    /// The value's name; nil where the option takes none.
    var placeholder: String?
    var words: [Choice]
    var completion: Completion
  }

  let standard: [Offer]
  let entries: [Entry]

  init(_ program: Program) {
    standard = StandardOptions.all.map { Offer($0.declaration) }
    let top = (program.suites.map { Choice($0.name, $0.summary) })
    let tools = program.tools.commands
    let root = top + tools.map { Choice($0.name, $0.summary) }
    let topics = Topic.all(program).map { Choice($0.name, $0.summary) }
    func entry(_ command: Command, path: String) -> Entry {
      let value = command.operands.first?.declaration.value
      var words = value?.choices ?? []
      if case .commands = value?.completion { words = root + topics }
      return Entry(
        path: path, summary: command.summary, words: words, completion: value?.completion ?? .none,
        options: command.options.map { Offer($0.declaration) } + Offer.fields(command.output.columns))
    }
    var entries = [Entry(path: "", summary: program.summary, words: root, completion: .none, options: [])]
    for suite in program.suites {
      let commands = suite.commands
      let names = commands.map { Choice($0.name, $0.summary) }
      entries.append(
        Entry(path: suite.name, summary: suite.summary, words: names, completion: .none, options: []))
      entries += commands.map { entry($0, path: "\(suite.name) \($0.name)") }
    }
    self.entries = entries + tools.map { entry($0, path: $0.name) }
  }
}

extension CompletionTable.Offer {
  init(_ option: OptionDeclaration) {
    self.init(
      short: option.short, long: option.spelling, summary: option.summary,
      placeholder: option.value?.placeholder, words: option.value?.choices ?? [],
      completion: option.value?.completion ?? .none)
  }

  /// `--fields` of a command with these columns.
  static func fields(_ columns: [Column]) -> [CompletionTable.Offer] {
    guard !columns.isEmpty else { return [] }
    var offer = CompletionTable.Offer(StandardOptions.fields.declaration)
    offer.words =
      columns.map { Choice($0.path, $0.meaning) }
      + [Choice("all", "every field"), Choice("help", "list the fields")]
    return [offer]
  }

  var spellings: [String] { [long] + (short.map { ["-\($0)"] } ?? []) }
}

extension String {
  /// The text as one word of a POSIX shell.
  var shellQuoted: String { "'\(replacing("'", with: "'\\''"))'" }
}
