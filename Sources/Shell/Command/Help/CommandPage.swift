import Output
import System

extension Page {
  public static func command(_ command: Command, suite: String?, in program: Program) -> Page {
    let shared = command.sharedOptions(suite, in: program)
    return Page(
      name: name(of: command, suite: suite, in: program), summary: command.summary, usage: command.usageTails,
      sections: command.sections(shared, suite: suite), inherited: command.mainInheritedOptions,
      shared: command.ownOptions.filter { shared.contains($0.name) }.map(\.spelling))
  }

  /// Full name of the command: `hw nodes top`.
  static func name(of command: Command, suite: String?, in program: Program) -> String {
    ([program.name, suite, command.name] as [String?]).compactMap { $0 }.joined(separator: " ")
  }

  static func fields(of command: Command) -> String {
    let columns = command.output.columns
    guard !columns.isEmpty else { return "the fields are those of the input\n" }
    let width = columns.reduce(0) { max($0, $1.path.count) }
    return columns.map { column in
      let padding = String(repeating: " ", count: width - column.path.count)
      return "\(column.path)\(padding)  \(column.meaning)\n"
    }.joined()
  }
}

extension Command {
  var usageTails: [String] {
    let written = usage.isEmpty ? [operands.map(\.declaration.synopsis).joined(separator: " ")] : usage
    return written.map { $0.isEmpty ? "[OPTIONS]" : "[OPTIONS] \($0)" }
  }

  fileprivate func sections(_ shared: Set<String>, suite: String?) -> [Section] {
    var sections = [Section(Section.examples, isInShortHelp: true, exampleBlocks)]
    if !discussion.isEmpty { sections.append(Section("Description", discussion.paragraphs)) }
    sections += inputSections(shared) + briefSettingSections(suite)
    let named = mainInheritedOptions.joined(separator: " ")
    sections.append(
      Section(
        "Inherited options",
        [
          .paragraph(
            "\(named.isEmpty ? "Those of all commands" : "\(named) and more"): see 'hw help options'.")
        ]))
    sections.append(Section("Output", output.briefBlocks))
    let special = ExitCodes.specialItems(for: self)
    sections.append(
      Section(
        "Exit status",
        (special.isEmpty ? [] : [.items(special)]) + [.paragraph("See 'hw help exit-codes'.")]))
    return sections
  }

  func inputSections(_ shared: Set<String> = []) -> [Section] {
    // The first of several options for a day describes what a day is.
    var described: Set<String> = []
    func details(_ value: ValueDeclaration?) -> String {
      value.map(\.details).flatMap { described.insert($0).inserted ? $0 : nil } ?? ""
    }
    let operandItems = operands.map(\.declaration).map { operand in
      Item(operand.name, operand.summary, details: details(operand.value))
        .adding(exclusions(of: .operand(operand)))
    }
    func items(_ options: [OptionDeclaration]) -> [Item] {
      options.map { option in
        var item = option.item(details(option.value)).adding(exclusions(of: .option(option)))
        item.isShared = shared.contains(option.name)
        return item
      }
    }
    let simulation = Set(simulation.map(\.declaration.name))
    let own = items(ownOptions.filter { !simulation.contains($0.name) })
    let simulated = items(ownOptions.filter { simulation.contains($0.name) })
    var sections: [Section] = []
    if !operands.isEmpty { sections.append(Section("Operands", isInShortHelp: true, [.items(operandItems)])) }
    if !own.isEmpty { sections.append(Section("Options", isInShortHelp: true, [.items(own)])) }
    if !simulated.isEmpty { sections.append(Section("Simulation", isInShortHelp: true, [.items(simulated)])) }
    return sections
  }

  func settingSections(_ suite: String?) -> [Section] {
    settingSections(suite, .items(settings.map { $0.declaration.settingItem(suite: suite) }))
  }

  /// Own settings without details; of more than six only the names.
  private func briefSettingSections(_ suite: String?) -> [Section] {
    let items = settings.map { $0.declaration.settingItem(suite: suite) }
    let names = items.map(\.termText).joined(separator: ", ")
    return settingSections(
      suite, items.count <= 6 ? .briefItems(items) : .paragraph("\(names): see 'hw help environment'."))
  }

  private func settingSections(_ suite: String?, _ block: Block) -> [Section] {
    guard let variable = settings.first?.declaration.variables(suite: suite)[0] else { return [] }
    return [
      Section("Settings", [.paragraph("By 'hw config set' or a variable such as \(variable)."), block])
    ]
  }

  /// Declared options, without those of every list and every service.
  fileprivate var ownOptions: [OptionDeclaration] { options.map(\.declaration).filter { !isInherited($0) } }

  /// Options that the hint for an unknown option lists: the command's own, and the main ones of lists.
  var optionsToName: [OptionDeclaration] {
    ownOptions
      + inheritedOptions.filter { option in Command.mainListOptions.contains { $0.name == option.name } }
  }

  private static let mainListOptions = [
    ListOptions.filter.declaration, ListOptions.sort.declaration, ListOptions.limit.declaration,
  ]

  /// Options of every list, of every service and of every command.
  var inheritedOptions: [OptionDeclaration] {
    let standard = StandardOptions.groups.filter { needs.contains($0.needs) }.flatMap(\.options)
    return options.map(\.declaration).filter(isInherited) + standard.filter { output.accepts($0) }
  }

  private func isInherited(_ option: OptionDeclaration) -> Bool {
    option === Service.tokenFile.declaration
      || (output.list?.options ?? []).contains { $0.name == option.name }
  }

  /// Names of the inherited options that most users look for.
  fileprivate var mainInheritedOptions: [String] {
    let formats = [
      StandardOptions.json.declaration, StandardOptions.csv.declaration, StandardOptions.tsv.declaration,
      StandardOptions.fields.declaration,
    ]
    let address = [StandardOptions.demo.declaration, StandardOptions.url.declaration]
    let known = Set(inheritedOptions.map(\.name))
    return (formats + Command.mainListOptions + address).filter { known.contains($0.name) }.map(\.spelling)
  }

  var exampleBlocks: [Block] { [.literal(examples.flatMap { ["# \($0.meaning)", $0.command] })] }

  /// Options that the short help only names: those that the commands of a suite share, and for 'serve' those of suites.
  fileprivate func sharedOptions(_ suite: String?, in program: Program) -> Set<String> {
    guard let suite else { return Set(program.suites.flatMap(\.serverOptions).map(\.declaration.name)) }
    guard let service = program.suite(named: suite)?.service else { return [] }
    return Set([service.credential?.file.declaration, service.rate?.declaration].compactMap { $0?.name })
  }
}

extension OptionDeclaration {
  var item: Item { item(value?.details ?? "") }

  fileprivate func item(_ valueDetails: String) -> Item {
    Item(
      .option(short: short, long: spelling, value: value?.valueName), summary + note + defaultNote,
      details: [valueDetails, details].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// Default, or whether the option may be repeated.
  private var defaultNote: String {
    switch kind {
    case .value(_, let text?): " (default \(text()))"
    case .list: "; may be repeated"
    case .flag, .counter, .value, .shorthand: ""
    }
  }
}

extension ValueDeclaration {
  /// Meaning of each choice or, without choices, an example of an accepted value.
  var details: String {
    if choices.isEmpty { return expects.contains(" such as ") ? "\(valueName) is \(expects)." : "" }
    guard choices.contains(where: { !$0.meaning.isEmpty }) else { return "" }
    return choices.map { "'\($0.name)': \($0.meaning)" }.joined(separator: "; ") + "."
  }
}

extension CommandOutput {
  var blocks: [Block] {
    let starred = columns.contains { !$0.isShown }
    return introduction(
      starred ? " Fields marked * appear only in JSON and with --fields." : "",
      columns.map { $0.item(marked: $0.isShown ? "" : " *") })
  }

  /// Describes the fields of the table, and names the others.
  var briefBlocks: [Block] {
    let others = columns.filter { !$0.isShown }.map(\.path).joined(separator: ", ")
    return introduction("", columns.filter(\.isShown).map { $0.item(marked: "") })
      + (others.isEmpty
        ? [] : [.paragraph("Also in JSON and with --fields ('--fields help' describes them): \(others)")])
  }

  private func introduction(_ note: String, _ items: [Item]) -> [Block] {
    let row = "One row with these fields; in JSON, one object."
    let rows = "Rows with these fields; in JSON, an array of objects."
    let form: String? =
      switch kind {
      case .list(let list): "\(list.arrival == .inside ? row : rows) Order: \(list.order)."
      case .rows: rows
      case .one, .plainOrJSON: row
      case .anyRows: "Rows with the fields of the input."
      case .plain, .document: nil
      }
    let sentences = [text, form].compactMap { $0 }.joined(separator: " ")
    return (sentences.isEmpty ? [] : [.paragraph(sentences + note)]) + (items.isEmpty ? [] : [.items(items)])
  }
}

extension Column {
  fileprivate func item(marked mark: String) -> Item {
    Item(path + mark, "\(meaning) (\(type.name)\(isOptional ? " or null" : ""))")
  }
}

extension String {
  /// Paragraphs between empty lines, without the line breaks inside; indented lines are literal.
  var paragraphs: [Block] {
    var blocks: [Block] = []
    for part in split(by: "\n\n") {
      let lines = part.split(separator: "\n").map(String.init)
      if lines.allSatisfy({ $0.hasPrefix("  ") }) {
        blocks.append(.literal(lines.map { String($0.dropFirst(2)) }))
      } else {
        blocks.append(.paragraph(lines.joined(separator: " ")))
      }
    }
    return blocks
  }
}
