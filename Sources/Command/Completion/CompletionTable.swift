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
    var valueName: String?
    var words: [Choice]
    var completion: Completion
  }

  let standard: [Offer]
  let entries: [Entry]

  /// The long options that take a value. An option means the same in every place, so one list is enough.
  var valued: [String] {
    var seen: Set<String> = []
    return offers.filter { $0.valueName != nil }.map(\.long).filter { seen.insert($0).inserted }
  }

  /// A regular expression for short options, bundled perhaps, the last of which takes the next word for its value.
  var valuedBundle: String {
    let letters = Set(offers.filter { $0.valueName != nil }.compactMap(\.short)).sorted().map(String.init)
      .joined()
    return "^-[^-\(letters)]*[\(letters)]$"
  }

  private var offers: [Offer] { standard + entries.flatMap(\.options) }

  init(_ program: Program) {
    standard = StandardOptions.all.map { Offer($0.declaration) }
    let top = (program.suites.map { Choice($0.name, $0.summary) })
    let tools = program.tools.commands
    let root = top + tools.map { Choice($0.name, $0.summary) }
    let topics = Topic.all(program).map { Choice($0.name, $0.summary) }
    func entry(_ command: Command, path: String) -> Entry {
      let value = command.operands.first?.declaration.value
      var words = value?.choices ?? []
      switch value?.completion {
      case .commands: words = root
      case .subjects: words = root + topics
      default: break
      }
      return Entry(
        path: path, summary: command.summary, words: words, completion: value?.completion ?? .none,
        options: command.options.map { Offer($0.declaration) } + Offer.fields(command.output))
    }
    var entries = [Entry(path: "", summary: program.summary, words: root, completion: .none, options: [])]
    for suite in program.suites {
      let commands = suite.commands
      let names = commands.map { Choice($0.name, $0.summary) }
      entries.append(
        Entry(path: suite.name, summary: suite.summary, words: names, completion: .none, options: []))
      entries += commands.map { entry($0, path: "\(suite.name) \($0.name)") }
    }
    for tool in tools {
      let own = entry(tool, path: tool.name)
      entries.append(own)
      guard own.completion.namesCommands else { continue }
      for suite in program.suites {
        var below = own
        below.path += " \(suite.name)"
        below.words = suite.commands.map { Choice($0.name, $0.summary) }
        entries.append(below)
      }
    }
    self.entries = entries
  }
}

extension CompletionTable.Offer {
  init(_ option: OptionDeclaration) {
    self.init(
      short: option.short, long: option.spelling, summary: option.summary,
      valueName: option.value?.valueName, words: option.value?.choices ?? [],
      completion: option.value?.completion ?? .none)
  }

  /// `--fields` of a command with this answer; what the input decides cannot be known here.
  static func fields(_ answer: Answer) -> [CompletionTable.Offer] {
    guard answer.shape != nil else { return [] }
    var offer = CompletionTable.Offer(StandardOptions.fields.declaration)
    offer.words = answer.columns.map { Choice($0.path, $0.meaning) }
    if !offer.words.isEmpty { offer.words.append(Choice("all", "every field")) }
    offer.words.append(Choice("help", "list the fields"))
    return [offer]
  }

  var spellings: [String] { [long] + (short.map { ["-\($0)"] } ?? []) }
}

extension Completion {
  fileprivate var namesCommands: Bool {
    switch self {
    case .commands, .subjects: true
    case .none, .files, .folders, .fields: false
    }
  }
}

extension String {
  /// The text as one word of a POSIX shell.
  var shellQuoted: String { "'\(replacing("'", with: "'\\''"))'" }
}
