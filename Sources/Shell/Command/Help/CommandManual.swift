import Store

/// The manual page of a command: its help, and which variables and files it uses.
extension Command {
  /// In the conventional order of manual pages. `suite` is nil for a command that belongs to none.
  func manualSections(_ suite: Suite?, in program: Program) -> [Section] {
    [Section("Description", ["\(summary).", discussion].joined(separator: "\n\n").paragraphs)]
      + inputSections() + settingSections(suite?.name) + [
        Section(
          "Inherited options",
          [
            .paragraph("'\(program.name) help options' has the details."),
            .briefItems(inheritedOptions.map(\.item)),
          ]), Section("Output", output.blocks),
        Section("Environment", [.items(environmentItems(suite, program))]),
        Section("Files", [.items(fileItems(suite, program))]),
        Section("Exit status", [.items(ExitCodes.items(for: self))]),
        Section("Examples", exampleBlocks),
      ]
  }

  /// The variables of its options, the service's secrets, and where the others are described.
  private func environmentItems(_ suite: Suite?, _ program: Program) -> [Item] {
    var items = options.map(\.declaration).compactMap { option in
      (option.ownVariable ?? option.variables(suite: suite?.name).first).map { variable in
        Item(.variable(variable), "the option \(option.spelling)")
      }
    }
    items += settings.map(\.declaration).map { setting in
      Item(
        .variable(setting.variables(suite: suite?.name)[0]),
        "the setting \(setting.keys(suite: suite?.name)[0])")
    }
    if needs.contains(.network), let service = suite?.service {
      items.append(
        Item(
          .variable("HW_\(service.suite.uppercased())_URL, HW_URL"), "the address of the service: --url"))
      if let credential = service.credential {
        items.append(
          Item(
            .variable(([service.variable] + credential.variables).joined(separator: ", ")),
            "the \(credential.setting) that is sent to the service"))
      }
      items.append(Item(.variable("HW_TOKEN"), "the token of a user of 'hw serve'"))
    }
    return items + [
      Item(
        .variable("HW_COLOR, HW_CONFIG, ..."),
        "variables of all commands: see 'Environment' in '\(program.name) help environment'")
    ]
  }

  private func fileItems(_ suite: Suite?, _ program: Program) -> [Item] {
    var items = [Item(.file("~/.config/\(program.name)/config"), "the configuration")]
    if needs.contains(.network) {
      items.append(Item(.file("~/.cache/\(program.name)"), "cached responses"))
      items.append(Item(.file("~/.local/state/\(program.name)"), "the rate limits of services"))
    }
    for database in suite?.databases ?? [] {
      items.append(Item(.file("~/.local/share/\(program.name)/\(database.name).db"), "a database"))
    }
    return items
  }
}
