import HTTP
import Server
import System

/// Translation of a feed (`--url gbfs:URL`): a backend in the process that reads another operator's feed.
public struct FeedTranslation: Sendable {
  let checks: @Sendable () -> [Check]
  /// Seconds until the file in a response changes, if the response has that.
  let lifetime: @Sendable (Response, Timestamp) -> Int64?
  let backend: @Sendable (FeedSource) -> any Backend
  /// The header field of a response for what was reported about the feed.
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

/// Reports the warnings in recorded responses of a feed.
struct WarningTransport: Transport {
  let inner: any Transport
  let report: (String) -> Void

  func send(_ request: Request) throws(Failure) -> Response {
    let response = try inner.send(request)
    for field in response.headers.fields where field.name == FeedTranslation.warning { report(field.value) }
    return response
  }
}
