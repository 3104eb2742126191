extension Topic {
  /// The options that commands share, in full: the help of a command has a line for each.
  static let options = Topic(
    name: "options", title: "Options", summary: "The options that commands share",
    blocks: groups.map { .subsection(title: $0.title, [.items($0.options.map(\.item))]) })

  /// The groups of standard options, and the options of lists.
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
