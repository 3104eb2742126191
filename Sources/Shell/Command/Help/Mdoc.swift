import System

/// Manual page in mdoc, the markup language of mandoc and groff.
struct Mdoc {
  private(set) var text = ""

  mutating func macro(_ name: String, _ rest: String = "") {
    text += rest.isEmpty ? ".\(name)\n" : ".\(name) \(rest)\n"
  }

  /// Writes a line of the synopsis: the command, then `[OPTIONS] [NODE...]`.
  mutating func synopsis(_ words: String, _ usage: String) {
    let parts = words.split(separator: " ", maxSplits: 1)
    macro("Nm", Mdoc.escaped(String(parts[0])))
    if parts.count > 1 { macro("Cm", Mdoc.escaped(String(parts[1]))) }
    for part in Mdoc.usageParts(usage[...]) { macro(part.first, part.rest) }
  }

  mutating func append(_ blocks: [Block]) {
    var needsBreak = false
    for block in blocks {
      switch block {
      case .paragraph(let paragraph):
        if needsBreak { macro("Pp") }
        prose(paragraph)
      case .literal(let lines):
        macro("Bd", "-literal -offset indent")
        for literal in lines { line(literal) }
        macro("Ed")
      case .items(let items): append(items) { $0.summary + ($0.details.isEmpty ? "" : ". \($0.details)") }
      case .briefItems(let items): append(items, \.summary)
      case .subsection(let title, let blocks):
        macro("Ss", Mdoc.escaped(title))
        append(blocks)
      }
      if case .subsection = block { needsBreak = false } else { needsBreak = true }
    }
  }

  private mutating func append(_ items: [Item], _ text: (Item) -> String) {
    macro("Bl", "-tag -width Ds")
    for item in items {
      macro("It", Mdoc.term(item.term))
      prose(text(item))
    }
    macro("El")
  }

  /// Writes running text with a sentence per line, so that mdoc recognizes the ends of sentences.
  private mutating func prose(_ content: String) {
    for sentence in content.replacing(". ", with: ".\n").split(separator: "\n") { line(String(sentence)) }
  }

  /// Writes a line of text. A point or an apostrophe at its start would begin a macro.
  private mutating func line(_ content: String) {
    let escaped = Mdoc.escaped(content)
    text += (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
  }

  private static func term(_ term: Item.Term) -> String {
    switch term {
    case .word(let word): return "Cm \(argument(word))"
    case .variable(let names): return "Ev \(names.split(by: ", ").joined(separator: " , "))"
    case .page(let name, let section): return "Xr \(name) \(section)"
    case .option(let short, let long, let value):
      let name = escaped(String(long.dropFirst()))
      return (short.map { "Fl \($0) , " } ?? "") + "Fl \(name)" + (value.map { " Ar \(argument($0))" } ?? "")
    }
  }

  /// Macros of a usage line: text in brackets is optional, words in capitals are placeholders.
  private static func usageParts(_ usage: Substring) -> [(first: String, rest: String)] {
    var parts: [(first: String, rest: String)] = []
    var rest = usage
    while !rest.isEmpty {
      let part = rest.first == "[" ? bracketed(rest) : rest.prefix { $0 != " " }
      rest = rest.dropFirst(part.count).drop { $0 == " " }
      if part.first == "[", part.last == "]" {
        let inner = usageParts(part.dropFirst().dropLast()).map { "\($0.first) \($0.rest)" }
        parts.append(("Op", inner.joined(separator: " ")))
      } else {
        parts.append(usageWord(part))
      }
    }
    return parts
  }

  private static func usageWord(_ word: Substring) -> (first: String, rest: String) {
    if word == "|" { return ("No", "\\&|") }
    if word.hasPrefix("-"), word != "-" { return ("Fl", escaped(String(word.dropFirst()))) }
    let name = word.first?.isUppercase == true ? "Ar" : "Cm"
    guard word.hasSuffix("...") else { return (name, escaped(String(word))) }
    return (name, "\(escaped(String(word.dropLast(3)))) ...")
  }

  /// Text from the bracket at the start to the closing one, up to a space.
  private static func bracketed(_ text: Substring) -> Substring {
    var depth = 0
    return text.prefix { character in
      if character == "[" { depth += 1 }
      if character == " ", depth == 0 { return false }
      if character == "]" { depth -= 1 }
      return true
    }
  }

  static func argument(_ text: String) -> String { "\"\(escaped(text).replacing("\"", with: "\\(dq"))\"" }

  static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
  }
}
