extension Command {
  /// Sections in the conventional order of manual pages. `suite` is nil for a tool.
  func manualSections(_ suite: Suite?, in program: Program) -> [Section] {
    [Section("Description", ["\(summary).", discussion].joined(separator: "\n\n").paragraphs)]
      + inputSections() + settingSections(suite?.name) + [
        Section(
          "Inherited options",
          [
            .paragraph(
              "'\(program.name) help options' has the details, and '\(program.name) help environment' the variables and files."
            ),
            .briefItems(inheritedOptions.map(\.item)),
          ]), Section("Output", output.blocks),
        Section("Exit status", [.items(ExitCodes.items(for: self))]),
        Section("Examples", exampleBlocks),
      ]
  }
}
