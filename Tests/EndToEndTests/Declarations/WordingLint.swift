@testable import Command

/// The wording of texts: the established term, one fact a sentence. The rules hold for everything that a table declares,
/// and the phrases also for files.
enum WordingLint {
  /// Phrases that have an established word, and that word.
  static let phrases: [String: String] = [
    "copies of answers": "cached responses", "keeps its answers": "caches responses",
    "keep its answers": "cache responses", "whole or not at all": "atomic", "order of strength": "precedence",
    "as strong as": "precedence", "line of headings": "header row", "nobody can set": "monotonic clock",
    "keep the limit": "rate limit", "keeps the limit": "rate limit", "when it would be looked at": "schedule",
    "tried through": "retried", "try again": "retry", "tries again": "retries", "tried again": "retried",
    "give up an attempt": "time limit per attempt", "give up everything": "total time limit",
    "is nobody's": "unknown", "token is wanted": "token required", "first wanted": "loaded on first use",
    "invent from": "seed for sample data", "clock of this place": "local time",
    "as people say": "human-readable", "fail on purpose": "inject faults",
    "fails on purpose": "injects faults", "hold against": "check", "held against": "checked",
    "holds against": "checks", "wherever it lies": "self-contained", "answer is no": "negative result",
    "defect in hw": "internal error", "reader went away": "output pipe closed",
    "host is unknown": "cannot resolve", "network's name service": "DNS", "is in trouble": "server error",
    "exchange the two": "swap", "for want of": "default", "is told": "receives", "are told": "receive",
  ]

  /// Words of user-facing texts: comments may need them.
  private static let words: [String: String] = [
    "whoever": "who", "whatever": "what", "wants": "requires", "summed up": "summarized",
  ]

  /// The phrases in a text, also where a line break parts their words.
  static func phrases(in text: String) -> [String] { found(phrases, in: text) }

  private static func found(_ phrases: [String: String], in text: String) -> [String] {
    let flat =
      " " + text.lowercased().split { !($0.isLetter || $0 == "'" || $0 == "-") }.joined(separator: " ") + " "
    return phrases.keys.sorted().filter { flat.contains(" \($0) ") }.map {
      "'\($0)' (say: \(phrases[$0] ?? ""))"
    }
  }

  /// First words of doc comments that can be understood only with the lines around them.
  private static let dependent = [
    "That of", "Those", "The same", "So many", "What", "Where", "Who", "Whoever", "Which", "One", "It", "Nil",
    "Also", "Its", "They", "This", "These",
  ]

  /// The doc comments of a Swift file that do not stand alone.
  static func dependentComments(in text: String) -> [String] {
    var isInside = false
    return text.split(separator: "\n").compactMap { line in
      let line = line.drop { $0 == " " }
      defer { isInside = line.hasPrefix("///") }
      guard !isInside, line.hasPrefix("/// ") else { return nil }
      let comment = line.dropFirst(4)
      return dependent.contains { comment == $0 || comment.hasPrefix("\($0) ") } ? String(comment) : nil
    }
  }

  /// Control characters, and format characters that change how other text is shown.
  static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case ..<0x20, 0x7F...0x9F, 0x034F, 0x061C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F,
      0xFEFF:
      true
    default: false
    }
  }

  /// The longest sentence has 30 words.
  static func longSentences(in text: String) -> [String] {
    sentences(text).filter { $0.split(whereSeparator: \.isWhitespace).count > 30 }
  }

  /// Paragraphs end sentences, and so does a full stop, a question mark or a colon before a space.
  static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    for paragraph in text.split(separator: "\n\n") {
      var sentence = ""
      for word in paragraph.split(whereSeparator: \.isWhitespace) {
        sentence += (sentence.isEmpty ? "" : " ") + word
        guard let last = word.last(where: { !"')\"".contains($0) }), ".?!:".contains(last) else { continue }
        sentences.append(sentence)
        sentence = ""
      }
      if !sentence.isEmpty { sentences.append(sentence) }
    }
    return sentences
  }

  // MARK: A table

  static func problems(_ program: Program) -> [String] {
    texts(program).flatMap { place, text in
      (phrases(in: text) + found(words, in: text)).map { "'\(place)' says \($0)" }
        + longSentences(in: text).map { "'\(place)' has a sentence of more than 30 words: \($0)" }
    } + summaries(program)
  }

  private static let commandVerbs: Set<Substring> = [
    "Add", "Change", "Check", "Clear", "Compare", "Convert", "Copy", "Count", "Delete", "Draw", "Export",
    "Find", "Import", "List", "Migrate", "Print", "Rank", "Remove", "Rent", "Replace", "Replay", "Reset",
    "Return", "Save", "Search", "Serve", "Show", "Solve", "Watch", "Write",
  ]
  private static let flagVerbs: Set<Substring> = commandVerbs.union([
    "Accept", "Allow", "Browse", "Choose", "Color", "Disable", "Do", "End", "Fail", "Ignore", "Include",
    "Inject", "Limit", "Link", "Listen", "Log", "Make", "Mark", "Name", "Omit", "Open", "Poll", "Read",
    "Record", "Refuse", "Reject", "Repeat", "Report", "Require", "Retry", "Ring", "Select", "Send", "Set",
    "Skip", "Sort", "Start", "Store", "Use", "Trust", "Wait", "Warn",
  ])
  /// A value can be named instead.
  private static let articles: Set<Substring> = ["A", "An", "The"]

  /// Summaries have at most 60 characters. Those of commands and options begin with a usual verb, those of options with
  /// a value also with the name of the value.
  private static func summaries(_ program: Program) -> [String] {
    let commands = TableLint.entries(program).map { ($0.name, $0.command.summary, commandVerbs) }
    let options =
      (TableLint.entries(program).flatMap { entry in entry.own.map { (entry.name + " ", $0) } }
      + TableLint.standard.map { ("", $0) }).map { owner, option in
        let verbs = option.value == nil ? flagVerbs : flagVerbs.union(articles)
        return ("\(owner)--\(option.name)", option.summary, verbs)
      }
    let operands = TableLint.entries(program).flatMap { entry in
      entry.command.operands.map { ("\(entry.name) \($0.declaration.name)", $0.declaration.summary) }
    }
    return (commands + options).compactMap { place, summary, verbs in
      let first = summary.prefix { $0 != " " }
      return verbs.contains(first) || summary.isEmpty
        ? nil : "the summary of '\(place)' does not begin with a usual verb: \(summary)"
    }
      + (commands.map { ($0.0, $0.1) } + options.map { ($0.0, $0.1) } + operands).compactMap {
        place, summary in
        summary.count > 60 ? "the summary of '\(place)' has more than 60 characters: \(summary)" : nil
      }
  }

  /// All texts that a table declares, with their places.
  static func texts(_ program: Program) -> [(place: String, text: String)] {
    var texts = [(program.name, program.summary)]
    for suite in program.suites + [program.tools] {
      texts += [(suite.name, suite.summary), (suite.name, suite.discussion)]
    }
    func add(_ option: OptionDeclaration, of owner: String) {
      let place = owner.isEmpty ? "--\(option.name)" : "\(owner) --\(option.name)"
      texts += [(place, option.summary), (place, option.details)]
      guard let value = option.value else { return }
      texts.append((place, value.expects))
      texts += value.choices.map { ("\(place) \($0.name)", $0.meaning) }
    }
    for option in TableLint.standard { add(option, of: "") }
    for entry in TableLint.entries(program) {
      texts += [(entry.name, entry.command.summary), (entry.name, entry.command.discussion)]
      for option in entry.own { add(option, of: entry.name) }
      for operand in entry.command.operands.map(\.declaration) {
        texts += [
          ("\(entry.name) \(operand.name)", operand.summary),
          ("\(entry.name) \(operand.name)", operand.value.expects),
        ]
      }
      texts.append((entry.name, entry.command.output.text ?? ""))
      texts += entry.command.output.columns.map { ("\(entry.name) \($0.path)", $0.meaning) }
      texts += entry.command.examples.map { ("\(entry.name), \($0.command)", $0.meaning) }
    }
    for topic in Topic.all(program) {
      texts.append((topic.name, topic.summary))
      texts += prose(of: topic.blocks).map { (topic.name, $0) }
    }
    return texts
  }
}

extension WordingLint {
  /// The sentences of a page, without its commands and files.
  fileprivate static func prose(of blocks: [Block]) -> [String] {
    blocks.flatMap { block in
      switch block {
      case .paragraph(let text): [text]
      case .items(let items), .briefItems(let items): items.flatMap { [$0.summary, $0.details] }
      case .literal: [String]()
      case .subsection(let title, let blocks): [title] + prose(of: blocks)
      }
    }
  }
}
