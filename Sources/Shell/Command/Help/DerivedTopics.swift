import System

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
