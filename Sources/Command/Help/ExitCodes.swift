import System

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
    return [success] + Failure.Kind.allCases.filter(kinds.contains).map(item)
  }

  private static func item(_ kind: Failure.Kind) -> Item { Item("\(kind.exitCode)", kind.meaning) }
}
