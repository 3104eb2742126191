/// A page of documentation, in no format yet: help on the terminal and the manual are two renderings of it.
public struct Page: Sendable {
  /// Name as it is typed: `hw nodes top`.
  public var name: String
  public var summary: String
  /// Synopses behind the name, one per line.
  public var usage: [String]
  public var sections: [Section]
  /// The options of all commands that the short help only names.
  var inherited: [String] = []

  var usageLines: [String] {
    usage.map { $0.isEmpty ? name : "\(name) \($0)" }
  }
}

public struct Section: Sendable {
  public var title: String
  public var blocks: [Block]
  /// The short help has it too.
  public var isBrief: Bool

  public init(_ title: String, isBrief: Bool = false, _ blocks: [Block]) {
    self.title = title
    self.blocks = blocks
    self.isBrief = isBrief
  }
}

public enum Block: Sendable {
  case paragraph(String)
  case items([Item])
  /// Items without details.
  case briefItems([Item])
  /// Lines to be taken as they are: commands, output.
  case literal([String])
  /// A command's own part of a suite's page.
  case subsection(title: String, [Block])
}

public struct Item: Sendable {
  public enum Term: Sendable {
    case word(String)
    case variable(String)
    case file(String)
    /// A page of the manual, and its section.
    case page(String, Int)
    case option(short: Character?, long: String, value: String?)
  }

  public var term: Term
  /// Summary in one phrase.
  public var summary: String
  /// Details for the full help and the manual.
  public var details: String
  /// The short help only names it.
  var isShared = false

  public init(_ term: Term, _ summary: String, details: String = "") {
    self.term = term
    self.summary = summary
    self.details = details
  }

  public init(_ word: String, _ summary: String, details: String = "") {
    self.init(.word(word), summary, details: details)
  }

  /// With one more sentence of details.
  func adding(_ sentence: String) -> Item {
    var item = self
    item.details = [details, sentence].filter { !$0.isEmpty }.joined(separator: " ")
    return item
  }

  var termText: String {
    switch term {
    case .word(let text), .variable(let text), .file(let text): text
    case .page(let name, let section): "\(name)(\(section))"
    case .option(let short, let long, let value):
      (short.map { "-\($0), " } ?? "    ") + long + (value.map { " \($0)" } ?? "")
    }
  }
}
