import Store
import System

/// Data of a suite about the users of a server, besides their names and tokens.
public struct PersonalData: Sendable {
  /// Sentences about data that remains when a user is deleted, each with the command that deletes it.
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
    /// Names of the users; nil if the store never had users, and then no name is removed.
    public let users: Set<String>?
    public let isDryRun: Bool

    public init(_ time: Timestamp, users: Set<String>?, isDryRun: Bool) {
      self.time = time
      self.users = users
      self.isDryRun = isDryRun
    }
  }

  public struct Pruned: Sendable {
    public var entries = 0
    public var names: Set<String> = []

    public init() {}
  }
}
