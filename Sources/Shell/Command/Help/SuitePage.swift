import Output
import System

extension Page {
  public static func suite(_ suite: Suite, in program: Program) -> Page {
    let name = "\(program.name) \(suite.name)"
    let list = suite.commands.map { Item($0.name, $0.summary) }
    return Page(
      name: name, summary: suite.summary, usage: ["COMMAND [OPTIONS] [OPERANDS]"],
      sections: [
        Section("Commands", isBrief: true, [.items(list)]),
        Section("Description", suite.discussion.paragraphs),
        Section("Settings", suite.settingBlocks(program)),
      ].filter { !$0.blocks.isEmpty })
  }

  /// Help of the program: suites, tools, aliases, plug-ins and topics.
  public static func program(
    _ program: Program, aliases: [(name: String, text: String)] = [], plugIns: [String]
  ) -> Page {
    Page(
      name: program.name, summary: program.summary,
      usage: ["SUITE COMMAND [OPTIONS] [OPERANDS]", "COMMAND [OPTIONS] [OPERANDS]"],
      sections: [
        Section("Suites", isBrief: true, [.items(program.suites.map { Item($0.name, $0.summary) })]),
        Section(
          "Commands", isBrief: true, [.items(program.tools.commands.map { Item($0.name, $0.summary) })]),
        Section(
          "Aliases", isBrief: true,
          aliases.isEmpty ? [] : [.items(aliases.map { Item($0.name, "'\(program.name) \($0.text)'") })]),
        Section(
          "Plug-ins", isBrief: true,
          plugIns.isEmpty ? [] : [.items(plugIns.map { Item($0, "\(program.name)-\($0) on PATH") })]),
        Section("Description", program.tools.discussion.paragraphs),
        Section(
          "Topics", isBrief: true, [.items(Topic.all(program).map { Item("help \($0.name)", $0.summary) })]),
      ].filter { !$0.blocks.isEmpty })
  }
}

extension Suite {
  /// Settings of several commands, for the suite whose commands show and change them.
  func settingBlocks(_ program: Program) -> [Block] {
    guard commands.contains(where: { $0.needs.contains(.configuration) }) else { return [] }
    let items = program.configurationKeys.filter { $0.general == nil && !$0.name.contains(".") }.map { key in
      Item(
        key.name,
        [key.meaning, key.fallback.map { "(default: \($0))" }].compactMap { $0 }.joined(separator: " "))
    }
    let suites = program.services.map(\.name).joined(separator: ", ")
    return [
      .items(items),
      .paragraph(
        """
        Each is also a setting of one suite: nodes.timeout takes precedence over timeout. Suites: \(suites). 'hw help \
        environment' lists the settings of single commands.
        """
      ),
    ]
  }
}

extension Page {
  /// Text of `--fields help`.
  static func fields(of command: Command) -> String {
    let columns = command.output.columns
    guard !columns.isEmpty else { return "the fields are those of the input\n" }
    var lines: [String] = []
    let width = columns.reduce(0) { max($0, $1.path.count) }
    for column in columns {
      let padding = String(repeating: " ", count: width - column.path.count)
      lines.append("\(column.path)\(padding)  \(column.meaning)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Finds the page for `hw help WORDS…`: the program, a topic, a suite, or a command.
  public static func find(
    _ words: [String], in program: Program, aliases: [(name: String, text: String)] = [],
    plugIns: [String] = []
  ) throws(Failure) -> Page {
    guard let first = words.first else { return .program(program, aliases: aliases, plugIns: plugIns) }
    guard words.count > 1 else {
      if let topic = Topic.all(program).first(where: { $0.name == first }) { return topic.page(in: program) }
      if let suite = program.suite(named: first) { return .suite(suite, in: program) }
      if let tool = program.tools.commands.first(where: { $0.name == first }) {
        return .command(tool, suite: nil, in: program)
      }
      let known = program.suiteNames + program.tools.commands.map(\.name) + Topic.all(program).map(\.name)
      throw unknown(first, known + aliases.map(\.name) + plugIns, program.commands(called: first))
    }
    return .command(try program.command(words), suite: first, in: program)
  }

  private static func unknown(_ name: String, _ known: [String], _ hint: String?) -> Failure {
    Failure(
      .usage, "there is no help about '\(name)'",
      hint: hint ?? Suggestion.phrase(for: name, among: known)
        ?? "help is available for: \(known.joined(separator: ", "))")
  }
}

extension Program {
  public func hasPage(_ name: String) -> Bool { (try? Page.find([name], in: self)) != nil }
}
