import System

enum ExitCodes {
  static let success = Item("0", "done")

  static let all =
    [success]
    + Failure.Kind.allCases.map { Item("\($0.exitCode)", "\($0.meaning) [\($0.rawValue)]") }

  /// Kinds of failure that a command has without declaring them.
  static func implied(for command: Command) -> Set<Failure.Kind> {
    var kinds: Set<Failure.Kind> = [.usage, .storage, .interrupted, .closedPipe]
    if command.needs.contains(.network) {
      // A service can return 404 or 409 for any request, for instance at a wrong address.
      kinds.formUnion([.connection, .invalidData, .rateLimited, .unauthorized, .notFound, .conflict])
    }
    let hasExitStatus = command.options.contains {
      $0.declaration.name == ListOptions.exitStatus.declaration.name
    }
    // The answer to a question before a loss can be no.
    if hasExitStatus || command.needs.contains(.loss) { kinds.insert(.no) }
    return kinds
  }

  /// Exit statuses that not every command of its kind has.
  static func specialItems(for command: Command) -> [Item] {
    let usual = Set(items(implied(for: command)).map(\.termText))
    return items(for: command).filter { !usual.contains($0.termText) }
  }

  static func items(for command: Command) -> [Item] {
    let own = items(implied(for: command).union(command.failures))
    guard command.operands.contains(where: { $0.declaration.count == .afterDashes }) else { return own }
    return own + [
      Item("126", "the command cannot be run"), Item("127", "there is no such command"),
      Item("any other", "the status of the command"),
    ]
  }

  private static func items(_ kinds: Set<Failure.Kind>) -> [Item] {
    [success]
      + Failure.Kind.allCases.filter(kinds.contains).map { Item("\($0.exitCode)", $0.meaning) }
  }
}

extension Topic {
  /// Shared options in full; the help of a command has one line for each.
  static let options = Topic(
    name: "options", title: "Options", summary: "The options that commands share",
    blocks: groups.map { .subsection(title: $0.title, [.items($0.options.map(\.item))]) })

  static var optionNames: [String] { groups.flatMap(\.options).map(\.name) }

  private static let groups: [StandardOptions.Group] =
    [
      StandardOptions.Group(
        title: "List options",
        options: [
          ListOptions.filter.declaration, ListOptions.sort.declaration, ListOptions.limit.declaration,
          ListOptions.exitStatus.declaration, ListOptions.watch.declaration,
        ])
    ] + StandardOptions.groups + [
      StandardOptions.Group(title: "Credential options", options: [Service.tokenFile.declaration])
    ]
}

extension Topic {
  static func services(_ program: Program) -> Topic {
    let services = program.services.compactMap(\.service)
    return Topic(
      name: "services", title: "Services", summary: "Where the data comes from, and how to work offline",
      blocks: [
        .paragraph("By default the commands of a suite use this service:"),
        .items(services.map { Item($0.suite, $0.summary) }),
        .paragraph(
          """
          --url or HW_<SUITE>_URL selects another address for one suite, HW_URL for all. 'hw config list --origin' \
          lists the addresses in use. An address is one of these:
          """),
        .items([
          Item("https://HOST", "a server; http:// and unix:FILE also work"),
          Item("embedded:", "the backend in hw with a database on this machine; no network"),
          Item(
            "demo:",
            "the backend in hw with sample data, which last for one command; no network and no account"),
          Item(
            "gbfs:URL",
            "the GBFS feed of a bike share operator, for 'hw bikes list', 'map' and 'show'; read-only"),
        ]),
        .paragraph(
          """
          --demo is short for '--url demo:'. With HW_URL=demo: in the environment, every command works offline. \
          'hw serve' runs the backends as a server.
          """),
      ])
  }
}

extension Service {
  fileprivate var summary: String {
    if let credential, address != live {
      return "\(address); with a \(credential.setting), the live service \(live) (\(reason))"
    }
    return address.contains("//") ? "live: \(address) (\(reason))" : "\(address) (\(reason))"
  }
}
