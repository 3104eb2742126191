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

  /// Exit statuses of the command that do not follow from its needs and options.
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
