import System

/// Page of the manual: of the program, a suite, a command, or a guide.
public struct ManualPage {
  /// Name for `man`: `hw-nodes-top`.
  public let name: String
  public let section: Int
  fileprivate let version: String
  fileprivate let page: Page
  fileprivate let related: [Reference]

  /// Another page. References are listed by section, then by name.
  typealias Reference = (section: Int, name: String)

  public var fileName: String { "\(name).\(section)" }

  public var text: String {
    var mdoc = Mdoc()
    // mandoc shows this as the current date; '.ci/release' replaces it with the date of the commit.
    mdoc.macro("Dd", "$Mdocdate$")
    mdoc.macro("Dt", "\(name.uppercased()) \(section)")
    mdoc.macro("Os", version)
    // A command with a hyphen at the end of a line could not be copied.
    mdoc.macro("nh")
    mdoc.macro("Sh", "NAME")
    mdoc.macro("Nm", name)
    mdoc.macro("Nd", Mdoc.escaped(page.summary))
    if !page.usage.isEmpty {
      mdoc.macro("Sh", "SYNOPSIS")
      for usage in page.usage { mdoc.synopsis(page.name, usage) }
    }
    for section in page.sections {
      mdoc.macro("Sh", Mdoc.escaped(section.title.uppercased()))
      mdoc.append(section.blocks)
    }
    // The program's page refers to its suites, every other page to the program.
    mdoc.macro("Sh", "SEE ALSO")
    for (index, other) in related.enumerated() {
      mdoc.macro("Xr", "\(other.name) \(other.section)\(index < related.count - 1 ? " ," : "")")
    }
    return mdoc.text
  }

  public static func all(_ program: Program) -> [ManualPage] {
    let suites = program.suites
    return [program.manual] + suites.map { program.manual($0) }
      + (suites + [program.tools]).flatMap { suite in suite.commands.map { program.manual($0, of: suite) } }
      + program.guides.map { program.manual($0) }
  }
}

extension Program {
  fileprivate func page(
    _ page: Page, _ words: [String], _ section: Int, _ related: [ManualPage.Reference]
  ) -> ManualPage {
    ManualPage(
      name: words.joined(separator: "-"), section: section, version: "\(name) \(version)", page: page,
      related: related.sorted(by: <))
  }

  fileprivate func reference(_ words: String...) -> ManualPage.Reference {
    (1, ([name] + words).joined(separator: "-"))
  }

  fileprivate var manual: ManualPage {
    func items(_ list: [(name: String, summary: String)]) -> Block {
      .items(list.map { Item(.page("\(name)-\($0.name)", 1), $0.summary) })
    }
    var page = Page.program(self, plugIns: [])
    let topics = Topic.all(self).map { Section($0.title, $0.blocks) }
    let conventional = ["Environment", "Exit status"]
    page.sections =
      [
        Section("Description", tools.discussion.paragraphs),
        Section("Suites", [items(suites.map { ($0.name, $0.summary) })]),
        Section(
          "Commands", [items(allCommands.map { ($0.name.replacing(" ", with: "-"), $0.command.summary) })]),
      ] + topics.filter { !conventional.contains($0.title) }
      + topics.filter { conventional.contains($0.title) }
    let related = suiteNames.map { reference($0) } + tools.commands.map { reference($0.name) }
    return self.page(page, [name], 1, related + guides.map { (7, "\(name)-\($0.name)") })
  }

  fileprivate func manual(_ suite: Suite) -> ManualPage {
    var page = Page.suite(suite, in: self)
    let commands = suite.commands.map { command in
      Item(.page("\(name)-\(suite.name)-\(command.name)", 1), command.summary)
    }
    page.sections = [
      Section("Description", suite.discussion.paragraphs),
      Section("Commands", [.items(commands)]),
      Section("Settings", suite.settingBlocks(self)),
    ].filter { !$0.blocks.isEmpty }
    let others = suiteNames.filter { $0 != suite.name }.map { reference($0) }
    let guides = guides.filter { $0.related.contains(suite.name) }.map { (7, "\(name)-\($0.name)") }
    return self.page(page, [name, suite.name], 1, [reference()] + others + guides)
  }

  fileprivate func manual(_ command: Command, of suite: Suite) -> ManualPage {
    let isTool = suite.name == tools.name
    var page = Page.command(command, suite: isTool ? nil : suite.name, in: self)
    // `apropos` searches this line, so it contains the words of the suite.
    if !isTool { page.summary += " (\(suite.summary.lowercasedFirst))" }
    page.sections = command.manualSections(isTool ? nil : suite, in: self)
    let siblings = suite.commands.filter { $0.name != command.name }
    let related =
      isTool
      ? [reference()]
      : [reference(), reference(suite.name)] + siblings.map { reference(suite.name, $0.name) }
    let words = isTool ? [command.name] : [suite.name, command.name]
    let guides = guides.filter { $0.related.contains(words[0]) }
    return self.page(page, [name] + words, 1, related + guides.map { (7, "\(name)-\($0.name)") })
  }

  fileprivate func manual(_ guide: Topic) -> ManualPage {
    var page = guide.page(in: self)
    page.usage = []
    page.sections = guide.sections
    return self.page(page, [name, guide.name], 7, [reference()] + guide.related.map { reference($0) })
  }
}

extension Command {
  /// Sections in the conventional order of manual pages. `suite` is nil for a tool.
  fileprivate func manualSections(_ suite: Suite?, in program: Program) -> [Section] {
    [Section("Description", ["\(summary).", discussion].joined(separator: "\n\n").paragraphs)]
      + inputSections() + settingSections(suite?.name) + [
        Section(
          "Inherited options",
          [
            .paragraph(
              """
              '\(program.name) help options' has the details, and '\(program.name) help environment' the variables and \
              files.
              """),
            .briefItems(inheritedOptions.map(\.item)),
          ]), Section("Output", output.blocks),
        Section("Exit status", [.items(ExitCodes.items(for: self))]),
        Section("Examples", exampleBlocks),
      ]
  }
}
