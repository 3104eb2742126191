import System

extension Failure {
  /// A disk or a quota is full; what was being changed is as it was.
  public var isOutOfSpace: Bool { details.contains(Failure.noSpace) }

  /// The database server denies a right; nothing was changed.
  public var lacksRights: Bool { details.contains(Failure.noRights) }

  /// The database server cannot be reached, or denies what every request needs: not a lock that another request holds.
  public var isUnavailable: Bool { lacksRights || details.contains(Failure.unavailable) }

  /// The transaction lost against another, or its connection was lost before the commit: nothing of it was stored, and
  /// the same transaction may succeed at once.
  public var isRolledBack: Bool { details.contains(Failure.rolledBack) }

  /// Another transaction has locked the row. This one may go on without it.
  public var isContended: Bool { details.contains(Failure.contended) }

  static let noSpace = Detail("cause", .text("no space"))
  static let rolledBack = Detail("cause", .text("rolled back"))
  static let unavailable = Detail("store", .text("unavailable"))
  static let noRights = Detail("cause", .text("no rights"))
  static let contended = Detail("cause", .text("contended"))

  static func damaged(_ name: String, _ message: String) -> Failure {
    Failure(
      .storage, "database '\(name)' is damaged: \(message)",
      hint: PostgreSQLAddress.isOne(name)
        ? "it was left as it is; restore it from a backup"
        : "it was left as it is; put a copy back, or rescue the rows with 'sqlite3 FILE .recover'")
  }
}
