import Store
import System

/// The data of a suite about the users of a server, beyond their names and tokens.
public struct PersonalData: Sendable {
  /// Returns sentences about the data that stay when a user is deleted, each with the command that removes it.
  public let remains: @Sendable (Store, _ user: String) throws(Failure) -> [String]
  /// Removes old entries of the history, and the names of former users from the others.
  public let prune: @Sendable (Store, Limit) throws(Failure) -> Pruned

  public init(
    remains: @escaping @Sendable (Store, _ user: String) throws(Failure) -> [String],
    prune: @escaping @Sendable (Store, Limit) throws(Failure) -> Pruned
  ) {
    self.remains = remains
    self.prune = prune
  }

  public struct Limit: Sendable {
    /// Entries that ended before are removed.
    public let time: Timestamp
    /// The names of the users. Nil if the store never had users: then no name is removed.
    public let users: Set<String>?
    /// Nothing is changed.
    public let isDryRun: Bool

    public init(_ time: Timestamp, users: Set<String>?, isDryRun: Bool) {
      self.time = time
      self.users = users
      self.isDryRun = isDryRun
    }
  }

  public struct Pruned: Sendable {
    /// The number of entries that were removed.
    public var entries = 0
    /// The former users whose names were removed.
    public var names: Set<String> = []

    public init() {}
  }
}
