/// Page of documentation, which help and manual render.
public struct Page: Sendable {
  public var name: String
  public var summary: String
  /// Usage lines without the name.
  public var usage: [String]
  public var sections: [Section]
  /// Options of all commands that the short help only names.
  var inherited: [String] = []

  var usageLines: [String] {
    usage.map { $0.isEmpty ? name : "\(name) \($0)" }
  }
}

public struct Section: Sendable {
  public var title: String
  public var blocks: [Block]
  /// Whether the short help contains the section.
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
  case briefItems([Item])
  /// Lines without wrapping: commands, output.
  case literal([String])
  case subsection(title: String, [Block])
}

public struct Item: Sendable {
  public enum Term: Sendable {
    case word(String)
    case variable(String)
    case file(String)
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
    case .word(let text), .variable(let text), .file(let text): text
    case .page(let name, let section): "\(name)(\(section))"
    case .option(let short, let long, let value):
      (short.map { "-\($0), " } ?? "    ") + long + (value.map { " \($0)" } ?? "")
    }
  }
}
