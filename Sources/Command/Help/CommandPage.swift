import Output
import System

/// A command's page, made from its declaration alone.
extension Page {
  public static func command(_ command: Command, suite: String?, in program: Program) -> Page {
    Page(
      name: name(of: command, suite: suite, in: program), summary: command.summary, usage: command.usageTails,
      sections: command.sections + [
        Section("Exit status", [.items(ExitCodes.items(for: command))])
      ])
  }

  /// What is typed to call the command: `hw nodes top`.
  static func name(of command: Command, suite: String?, in program: Program) -> String {
    ([program.name, suite, command.name] as [String?]).compactMap { $0 }.joined(separator: " ")
  }
}

extension Command {
  /// What follows the name in the usage lines.
  var usageTails: [String] {
    let written = usage.isEmpty ? [operands.map(\.declaration.synopsis).joined(separator: " ")] : usage
    return written.map { $0.isEmpty ? "[OPTIONS]" : "[OPTIONS] \($0)" }
  }

  /// Everything but the exit status, in the order a reader asks for it.
  var sections: [Section] {
    let operandItems = operands.map(\.declaration).map {
      Item($0.name, $0.summary, details: $0.value.details)
    }
    let own = options.map(\.declaration).map(\.item)
    var sections: [Section] = []
    if !examples.isEmpty {
      sections.append(Section("Examples", isBrief: true, exampleBlocks))
    }
    if !discussion.isEmpty { sections.append(Section("Description", discussion.paragraphs)) }
    if !operands.isEmpty { sections.append(Section("Operands", isBrief: true, [.items(operandItems)])) }
    if !own.isEmpty { sections.append(Section("Options", isBrief: true, [.items(own)])) }
    for group in StandardOptions.groups where needs.contains(group.needs) {
      sections.append(Section(group.title, [.items(group.options.map(\.item))]))
    }
    sections.append(Section("Output", output.blocks))
    return sections
  }

  var exampleBlocks: [Block] {
    [.literal(examples.flatMap { ["# \($0.meaning)", $0.command] })]
  }
}

extension OptionDeclaration {
  var item: Item {
    Item(
      .option(short: short, long: spelling, value: value?.valueName), summary + notes,
      details: [value?.details ?? "", details].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// The default and what else one phrase can hold.
  private var notes: String {
    switch kind {
    case .value(_, let text?): " (default \(text()))"
    case .list: "; may be repeated"
    case .flag, .counter, .value, .shorthand: ""
    }
  }
}

extension ValueDeclaration {
  /// What each choice means, and what is accepted where no choice says so.
  var details: String {
    if choices.isEmpty {
      return wants == ValueKind<String>.text("").description().wants ? "" : "Takes \(wants)."
    }
    return choices.map { "'\($0.name)': \($0.meaning)" }.joined(separator: "; ") + "."
  }
}

extension CommandOutput {
  var blocks: [Block] {
    switch kind {
    case .list(let list) where list.arrival == .inside: columns.blocks(text, "One row", json: "one object")
    case .list, .rows: columns.blocks(text, "Rows", json: "an array of objects")
    case .one, .textOrOne: columns.blocks(text, "One row", json: "one object")
    case .oneOrRows:
      columns.blocks(text, "One row, or one for each line read,", json: "one object, or an array of them")
    case .anyRows: [.paragraph("Rows with the fields of the input.")]
    case .text, .document: text.map { [.paragraph($0)] } ?? []
    }
  }
}

extension [Column] {
  fileprivate func blocks(_ text: String?, _ what: String, json: String) -> [Block] {
    let intro = text.map { "\($0) " } ?? ""
    let starred = contains { !$0.isShown }
    return [
      .paragraph(
        "\(intro)\(what) with these fields; in JSON, \(json)."
          + (starred ? " Those marked * stand in JSON and where --fields asks for them." : "")),
      .items(
        map { column in
          let null = column.isOptional ? " or null" : ""
          return Item(
            column.path + (column.isShown ? "" : " *"), "\(column.meaning) (\(column.type.name)\(null))")
        }),
    ]
  }
}

extension String {
  /// Paragraphs are separated by empty lines; the line breaks inside one are not kept. An indented line is literal.
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

/// The exit statuses, as help and manual list them.
enum ExitCodes {
  static let success = Item("0", "done")

  /// With the names that JSON has for them.
  static let all =
    [success]
    + Failure.Kind.allCases.map { Item("\($0.exitCode)", "\($0.meaning) [\($0.rawValue)]") }

  /// What a command can end with: its own kinds, and those that need no declaration.
  static func items(for command: Command) -> [Item] {
    var kinds: Set<Failure.Kind> = [.usage, .storage, .interrupted, .closedPipe]
    if command.needs.contains(.network) {
      kinds.formUnion([.connection, .invalidData, .rateLimited, .unauthorized])
    }
    kinds.formUnion(command.failures)
    if command.options.contains(where: { $0.declaration.name == ListOptions.exitStatus.declaration.name }) {
      kinds.insert(.no)
    }
    let own = [success] + Failure.Kind.allCases.filter(kinds.contains).map(item)
    guard command.operands.contains(where: { $0.declaration.count == .afterDashes }) else { return own }
    return own + [
      Item("126", "the command cannot be run"), Item("127", "there is no such command"),
      Item("any other", "the status of the command"),
    ]
  }

  private static func item(_ kind: Failure.Kind) -> Item { Item("\(kind.exitCode)", kind.meaning) }
}
