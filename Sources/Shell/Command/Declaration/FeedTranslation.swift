import HTTP
import Server
import System

/// Translation of a feed (`--url gbfs:URL`): a backend in the process that reads another operator's feed.
public struct FeedTranslation: Sendable {
  let checks: @Sendable () -> [Check]
  /// Seconds until the file in the response changes; nil if the response does not contain this time.
  let lifetime: @Sendable (Response, Timestamp) -> Int64?
  let backend: @Sendable (FeedSource) -> any Backend
  /// Header field that carries a message about the feed in a recorded response.
  public static let warning = "X-Feed-Warning"

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
