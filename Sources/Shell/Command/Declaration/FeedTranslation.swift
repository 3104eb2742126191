import HTTP
import Server
import System

/// A suite's translation of a feed (`--url gbfs:URL`): a backend in the process that reads what another operator
/// publishes.
public struct FeedTranslation: Sendable {
  /// Contracts of the files that it reads.
  let checks: @Sendable () -> [Check]
  /// The seconds until the file in a response changes, if it has that.
  let lifetime: @Sendable (Response, Timestamp) -> Int64?
  let backend: @Sendable (FeedSource) -> any Backend

  public init(
    checks: @autoclosure @escaping @Sendable () -> [Check],
    lifetime: @escaping @Sendable (Response, Timestamp) -> Int64?,
    backend: @escaping @Sendable (FeedSource) -> any Backend
  ) {
    self.checks = checks
    self.lifetime = lifetime
    self.backend = backend
  }
}
