import System

/// A page in mdoc, the language of the system's manual.
extension Page {
  /// `name` is the page's file name without the section: `hw`, `hw-nodes`.
  public func manual(name: String, date: String, seeAlso: [String]) -> String {
    var mdoc = Mdoc()
    mdoc.macro("Dd", date)
    mdoc.macro("Dt", "\(name.uppercased()) 1")
    mdoc.macro("Os")
    mdoc.macro("Sh", "NAME")
    mdoc.macro("Nm", name)
    mdoc.macro("Nd", Mdoc.escaped(summary))
    mdoc.macro("Sh", "SYNOPSIS")
    for line in usageLines {
      mdoc.macro("Ic", Mdoc.argument(line))
      if line != usageLines.last { mdoc.macro("br") }
    }
    for section in sections {
      mdoc.macro("Sh", Mdoc.escaped(section.title.uppercased()))
      mdoc.append(section.blocks)
    }
    if !seeAlso.isEmpty {
      mdoc.macro("Sh", "SEE ALSO")
      for (index, other) in seeAlso.enumerated() {
        mdoc.macro("Xr", "\(other) 1\(index < seeAlso.count - 1 ? " ," : "")")
      }
    }
    return mdoc.text
  }
}

/// mdoc source in the making.
private struct Mdoc {
  private(set) var text = ""

  mutating func macro(_ name: String, _ rest: String = "") {
    text += rest.isEmpty ? ".\(name)\n" : ".\(name) \(rest)\n"
  }

  mutating func append(_ blocks: [Block]) {
    var follows = false
    for block in blocks {
      switch block {
      case .paragraph(let paragraph):
        if follows { macro("Pp") }
        prose(paragraph)
      case .literal(let lines):
        macro("Bd", "-literal -offset indent")
        for literal in lines { line(literal) }
        macro("Ed")
      case .items(let items):
        macro("Bl", "-tag -width Ds")
        for item in items {
          macro("It", Mdoc.term(item.term))
          prose(item.summary + (item.details.isEmpty ? "" : ". \(item.details)"))
        }
        macro("El")
      case .subsection(let title, let blocks):
        macro("Ss", Mdoc.escaped(title))
        append(blocks)
      }
      if case .subsection = block { follows = false } else { follows = true }
    }
  }

  /// Running text. A sentence begins a line, which is how mdoc knows where one ends.
  private mutating func prose(_ content: String) {
    for sentence in content.replacing(". ", with: ".\n").split(separator: "\n") { line(String(sentence)) }
  }

  /// A line of text: a point or an apostrophe at its start would be read as a macro.
  private mutating func line(_ content: String) {
    let escaped = Mdoc.escaped(content)
    text += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  private static func term(_ term: Item.Term) -> String {
    switch term {
    case .word(let word): return "Ic \(argument(word))"
    case .option(let short, let long, let value):
      let name = escaped(String(long.dropFirst()))
      return (short.map { "Fl \($0) , " } ?? "") + "Fl \(name)" + (value.map { " Ar \(argument($0))" } ?? "")
    }
  }

  /// One argument of a macro, however many words it has.
  static func argument(_ text: String) -> String {
    "\"\(escaped(text).replacing("\"", with: "\\(dq"))\""
  }

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}

/// The pages of the manual: one for the program, one for each suite.
public struct ManualPage {
  /// As `man` wants it: `hw-wordle`.
  public let name: String
  private let page: Page
  private let others: [String]

  /// The day the manual last changed its shape; a page made twice is the same to the byte.
  private static let date = "November 20, 2026"

  public var text: String { page.manual(name: name, date: ManualPage.date, seeAlso: others) }

  /// Told without making them: a topic that names them is itself part of one.
  static func names(_ program: Program) -> [String] {
    [program.name] + program.suiteNames.map { "\(program.name)-\($0)" }
  }

  public static func all(_ program: Program) -> [ManualPage] {
    let suites = program.suites.map { ("\(program.name)-\($0.name)", Page.manual($0, in: program)) }
    let pages = [(program.name, Page.manual(program))] + suites
    return pages.map { page in
      ManualPage(name: page.0, page: page.1, others: pages.map(\.0).filter { $0 != page.0 }.sorted())
    }
  }

  public static func named(_ name: String, in program: Program) throws(Failure) -> ManualPage {
    let pages = all(program)
    if let page = pages.first(where: { $0.name == name }) { return page }
    throw Failure(
      .usage, "there is no page '\(name)' in the manual",
      hint: "pages: \(pages.map(\.name).joined(separator: ", "))")
  }
}
