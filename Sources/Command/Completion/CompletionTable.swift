import Output
import System

/// The content of a completion script, derived from the declarations once for all three shells.
struct CompletionTable {
  struct Entry {
    /// `nodes top`; empty for the program itself.
    var path: String
    var summary: String
    /// The operands, in order.
    var operands: [Value]
    /// The last operand may be repeated.
    var isRepeated = false
    /// Another command line follows `--`.
    var runsCommand = false
    /// The options beside the standard ones; contains `--fields` if the fields are known.
    var options: [Candidate]
  }

  /// What completes a value: known words, and the source of others.
  struct Value {
    var words: [Choice]
    var completion = Completion.none
    /// More of the value follows a word: no space is added.
    var isContinued = false
  }

  /// An option that can be completed, and what completes its value.
  struct Candidate {
    var short: Character?
    var long: String
    var summary: String
    /// The value's name; nil if the option takes none.
    var valueName: String?
    var value: Value
  }

  let standard: [Candidate]
  let entries: [Entry]

  /// The long options that take a value. An option means the same in every command, so one list is enough.
  var valued: [String] {
    var seen: Set<String> = []
    return candidates.filter { $0.valueName != nil }.map(\.long).filter { seen.insert($0).inserted }
  }

  /// A regular expression for short options, possibly bundled, the last of which takes the next word as its value.
  var valuedBundle: String {
    let letters = Set(candidates.filter { $0.valueName != nil }.compactMap(\.short)).sorted().map(String.init)
      .joined()
    return "^-[^-\(letters)]*[\(letters)]$"
  }

  /// The commands that run the command line after `--`.
  var runningPaths: [String] { entries.filter(\.runsCommand).map(\.path) }

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
      let operands = command.operands.map(\.declaration).filter { $0.count != .afterDashes }
      return Entry(
        path: path, summary: command.summary, operands: operands.map(value),
        isRepeated: operands.last?.count == .rest && operands.last?.value.completion.namesCommands == false,
        runsCommand: command.operands.last?.declaration.count == .afterDashes,
        options: command.options.map { Candidate($0.declaration, of: command.output) }
          + Candidate.fields(command.output))
    }
    /// A position at which one of these commands comes next.
    func names(_ path: String, _ summary: String, _ commands: [Command]) -> Entry {
      let words = commands.map { Choice($0.name, $0.summary) }
      return Entry(path: path, summary: summary, operands: [Value(words: words)], options: [])
    }
    var entries = [
      Entry(
        path: "", summary: program.summary,
        operands: [Value(words: root, completion: .words(.ownCommands))], options: [])
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
  /// An option of a command with that output: its fields complete `--sort` and `--where`.
  init(_ option: OptionDeclaration, of output: CommandOutput) {
    self.init(option)
    guard let list = output.list else { return }
    if option.name == ListOptions.sort.declaration.name {
      value.words = list.columns.filter(\.isOrdered).map { Choice($0.path, $0.meaning) }
    } else if option.name == ListOptions.filter.declaration.name {
      value.words = list.columns.filter(\.isOrdered).map { Choice("\($0.path)=", $0.meaning) }
      value.isContinued = true
    }
  }

  init(_ option: OptionDeclaration) {
    self.init(
      short: option.short, long: option.spelling, summary: option.summary,
      valueName: option.value?.valueName,
      value: .init(words: option.value?.choices ?? [], completion: option.value?.completion ?? .none))
  }

  /// `--fields` of a command with this output; fields that depend on the input are not known here.
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
    case .none, .files, .folders, .fields, .words, .wordsOrFiles: false
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

  /// The file name of the script in `completions/`.
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
