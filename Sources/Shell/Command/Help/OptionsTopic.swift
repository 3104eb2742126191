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
