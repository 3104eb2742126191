import Output
import System

/// What a completion script has to know, drawn from the table once for all three shells.
struct CompletionTable {
  struct Entry {
    /// `nodes top`; empty for the program itself.
    var path: String
    var summary: String
    /// What may come next that is no option, operand by operand.
    var operands: [Value]
    /// The last operand may be given again and again.
    var isRepeated = false
    /// The options of this place beside the standard ones; `--fields` is among them where the fields are known.
    var options: [Candidate]
  }

  /// What completes a value: words that are known here, and where others come from.
  struct Value {
    var words: [Choice] = []
    var completion = Completion.none

    /// The source that a running hw is asked for.
    var source: WordSource? {
      if case .words(let source) = completion { source } else { nil }
    }
  }

  /// An option as it is typed, and what completes its value.
  struct Candidate {
    var short: Character?
    var long: String
    var summary: String
    /// The value's name; nil where the option takes none.
    var valueName: String?
    var value: Value
  }

  let standard: [Candidate]
  let entries: [Entry]

  /// The long options that take a value. An option means the same in every place, so one list is enough.
  var valued: [String] {
    var seen: Set<String> = []
    return candidates.filter { $0.valueName != nil }.map(\.long).filter { seen.insert($0).inserted }
  }

  /// A regular expression for short options, bundled perhaps, the last of which takes the next word for its value.
  var valuedBundle: String {
    let letters = Set(candidates.filter { $0.valueName != nil }.compactMap(\.short)).sorted().map(String.init)
      .joined()
    return "^-[^-\(letters)]*[\(letters)]$"
  }

  private var candidates: [Candidate] { standard + entries.flatMap(\.options) }

  init(_ program: Program) {
    standard = StandardOptions.all.map { Candidate($0.declaration) }
    let tools = program.tools.commands
    let root = program.suites.map { Choice($0.name, $0.summary) } + tools.map { Choice($0.name, $0.summary) }
    let topics = Topic.all(program).map { Choice($0.name, $0.summary) }
    func value(_ operand: OperandDeclaration) -> Value {
      let words =
        switch operand.value.completion {
        case .commands: root
        case .subjects: root + topics
        default: operand.value.choices
        }
      return Value(words: words, completion: operand.value.completion)
    }
    func entry(_ command: Command, path: String) -> Entry {
      let operands = command.operands.map(\.declaration)
      return Entry(
        path: path, summary: command.summary, operands: operands.map(value),
        isRepeated: operands.last?.count == .rest && operands.last?.value.completion.namesCommands == false,
        options: command.options.map { Candidate($0.declaration, of: command.output) }
          + Candidate.fields(command.output))
    }
    /// A place where one of these names comes next.
    func names(_ path: String, _ summary: String, _ commands: [Command]) -> Entry {
      let words = commands.map { Choice($0.name, $0.summary) }
      return Entry(path: path, summary: summary, operands: [Value(words: words)], options: [])
    }
    var entries = [
      Entry(
        path: "", summary: program.summary,
        operands: [Value(words: root, completion: .words(.plugIns))], options: [])
    ]
    for suite in program.suites {
      entries.append(names(suite.name, suite.summary, suite.commands))
      entries += suite.commands.map { entry($0, path: "\(suite.name) \($0.name)") }
    }
    for tool in tools {
      let own = entry(tool, path: tool.name)
      entries.append(own)
      guard own.operands.first?.completion.namesCommands == true else { continue }
      for suite in program.suites {
        var below = names("\(tool.name) \(suite.name)", tool.summary, suite.commands)
        below.options = own.options
        entries.append(below)
      }
    }
    self.entries = entries
  }
}

extension CompletionTable.Candidate {
  /// An option of a command with that output, whose fields `--sort` takes.
  init(_ option: OptionDeclaration, of output: CommandOutput) {
    self.init(option)
    guard option.name == ListOptions.sort.declaration.name, let list = output.list else { return }
    value.words = list.columns.filter(\.isOrdered).map { Choice($0.path, $0.meaning) }
  }

  init(_ option: OptionDeclaration) {
    self.init(
      short: option.short, long: option.spelling, summary: option.summary,
      valueName: option.value?.valueName,
      value: .init(words: option.value?.choices ?? [], completion: option.value?.completion ?? .none))
  }

  /// `--fields` of a command with this answer; what the input decides cannot be known here.
  static func fields(_ output: CommandOutput) -> [CompletionTable.Candidate] {
    guard output.schemaRoot != nil else { return [] }
    var candidate = CompletionTable.Candidate(StandardOptions.fields.declaration)
    candidate.value.words = output.columns.map { Choice($0.path, $0.meaning) }
    if !candidate.value.words.isEmpty { candidate.value.words.append(Choice("all", "every field")) }
    candidate.value.words.append(Choice("help", "list the fields"))
    return [candidate]
  }

  var spellings: [String] { [long] + (short.map { ["-\($0)"] } ?? []) }
}

extension Completion {
  fileprivate var namesCommands: Bool {
    switch self {
    case .commands, .subjects: true
    case .none, .files, .folders, .fields, .words: false
    }
  }
}

/// The shells that there is a completion script for.
public enum Shell: String, ChoiceValue {
  case bash
  case zsh
  case fish

  public var meaning: String {
    switch self {
    case .bash: "for a folder such as ~/.local/share/bash-completion/completions, as hw"
    case .zsh: "for a folder of $fpath, as _hw"
    case .fish: "for ~/.config/fish/completions, as hw.fish"
    }
  }

  /// The name the script has in `completions/`.
  public var fileName: String {
    switch self {
    case .bash: "hw.bash"
    case .zsh: "_hw"
    case .fish: "hw.fish"
    }
  }

  public func script(for program: Program) -> String {
    switch self {
    case .bash: BashCompletion(program: program).text
    case .zsh: ZshCompletion(program: program).text
    case .fish: FishCompletion(program: program).text
    }
  }
}
