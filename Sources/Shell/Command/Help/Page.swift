import System

/// Page of documentation, which help and manual render.
public struct Page: Sendable {
  public var name: String
  public var summary: String
  public var usage: [String]
  public var sections: [Section]
  /// Main options of lists and services, which the short help only names.
  var inherited: [String] = []
  /// Own options that the short help only names, since other commands of the suite have them, too.
  var shared: [String] = []

  var usageLines: [String] { usage.map { $0.isEmpty ? name : "\(name) \($0)" } }
}

public struct Section: Sendable {
  public var title: String
  public var blocks: [Block]
  public var isInShortHelp: Bool

  static let examples = "Examples"

  public init(_ title: String, isInShortHelp: Bool = false, _ blocks: [Block]) {
    self.title = title
    self.blocks = blocks
    self.isInShortHelp = isInShortHelp
  }
}

public enum Block: Sendable {
  case paragraph(String)
  case items([Item])
  case briefItems([Item])
  /// Lines without wrapping: commands, output.
  case literal([String])
  case subsection(title: String, [Block])
}

public struct Item: Sendable {
  public enum Term: Sendable {
    case word(String)
    case variable(String)
    /// Page of the manual, and its section.
    case page(String, Int)
    case option(short: Character?, long: String, value: String?)
  }

  public var term: Term
  public var summary: String
  public var details: String
  /// Whether the short help only names the item.
  var isShared = false

  public init(_ term: Term, _ summary: String, details: String = "") {
    self.term = term
    self.summary = summary
    self.details = details
  }

  public init(_ word: String, _ summary: String, details: String = "") {
    self.init(.word(word), summary, details: details)
  }

  func adding(_ sentence: String) -> Item {
    var item = self
    item.details = [details, sentence].filter { !$0.isEmpty }.joined(separator: " ")
    return item
  }

  var termText: String {
    switch term {
    case .word(let text), .variable(let text): text
    case .page(let name, let section): "\(name)(\(section))"
    case .option(let short, let long, let value):
      (short.map { "-\($0), " } ?? "    ") + long + (value.map { " \($0)" } ?? "")
    }
  }
}

extension Page {
  /// Finds the page for `hw help WORDS…`: the program, a topic, a suite, or a command.
  public static func find(
    _ words: [String], in program: Program, aliases: [(name: String, text: String)] = [],
    plugIns: [String] = []
  ) throws(Failure) -> Page {
    guard let first = words.first else { return .program(program, aliases: aliases, plugIns: plugIns) }
    let topic = words.joined(separator: "-")
    if let topic = Topic.all(program).first(where: { $0.name == topic }) { return topic.page(in: program) }
    guard words.count > 1 else {
      if let suite = program.suite(named: first) { return .suite(suite, in: program) }
      if let tool = program.tool(named: first) { return .command(tool, suite: nil, in: program) }
      let names =
        program.topLevelNames + Topic.all(program).map(\.name) + aliases.map(\.name) + plugIns
      let option = Topic.optionNames.contains(first) ? "did you mean '\(program.name) help options'?" : nil
      throw Failure(
        .usage, "there is no help about '\(first)'",
        hint: program.hint(forCommand: first) ?? option ?? Suggestion.phrase(for: first, among: names)
          ?? "help is available for: \(names.joined(separator: ", "))")
    }
    return .command(try program.command(words), suite: first, in: program)
  }

  public static func program(
    _ program: Program, aliases: [(name: String, text: String)] = [], plugIns: [String]
  ) -> Page {
    Page(
      name: program.name, summary: program.summary,
      usage: ["SUITE COMMAND [OPTIONS] [OPERANDS]", "COMMAND [OPTIONS] [OPERANDS]"],
      sections: [
        Section("Suites", isInShortHelp: true, [.items(program.suites.map { Item($0.name, $0.summary) })]),
        Section(
          "Commands", isInShortHelp: true, [.items(program.tools.commands.map { Item($0.name, $0.summary) })]),
        Section(
          "Aliases", isInShortHelp: true,
          aliases.isEmpty ? [] : [.items(aliases.map { Item($0.name, "'\(program.name) \($0.text)'") })]),
        Section(
          "Plug-ins", isInShortHelp: true,
          plugIns.isEmpty ? [] : [.items(plugIns.map { Item($0, "\(program.name)-\($0) on PATH") })]),
        Section("Description", program.tools.discussion.paragraphs),
        Section(
          "Topics", isInShortHelp: true,
          [.items(Topic.all(program).map { Item("help \($0.name)", $0.summary) })]),
      ].filter { !$0.blocks.isEmpty })
  }
}

extension Program {
  public func hasPage(_ name: String) -> Bool { (try? Page.find([name], in: self)) != nil }
}
