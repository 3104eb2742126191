extension Page {
  public static func suite(_ suite: Suite, in program: Program) -> Page {
    let name = "\(program.name) \(suite.name)"
    let list = suite.commands.map { Item($0.name, $0.summary) }
    return Page(
      name: name, summary: suite.summary, usage: ["COMMAND [OPTIONS] [OPERANDS]"],
      sections: [
        Section("Commands", isInShortHelp: true, [.items(list)]),
        Section("Description", suite.discussion.paragraphs),
        Section("Settings", suite.settingBlocks(program)),
      ].filter { !$0.blocks.isEmpty })
  }
}

extension Suite {
  /// Settings of all suites, for the page of `hw config`; empty for every other suite.
  func settingBlocks(_ program: Program) -> [Block] {
    guard commands.contains(where: { $0.needs.contains(.configuration) }) else { return [] }
    let items = program.configurationKeys.filter { $0.general == nil && !$0.name.contains(".") }.map { key in
      Item(
        key.name,
        [key.meaning, key.fallback.map { "(default: \($0))" }].compactMap { $0 }.joined(separator: " "))
    }
    let suites = program.servedSuites.map(\.name).joined(separator: ", ")
    return [
      .items(items),
      .paragraph(
        """
        Each is also a setting of one suite: nodes.timeout takes precedence over timeout. Suites: \(suites). 'hw help \
        environment' lists the settings of single commands.
        """),
    ]
  }
}
