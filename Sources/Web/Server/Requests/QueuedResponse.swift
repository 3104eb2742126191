import HTTP
import System

/// A response with everything that decides how it is sent.
struct QueuedResponse {
  /// Must not set Date, Connection, Content-Length and Transfer-Encoding, which the encoder writes.
  var response: Response
  /// A body above `ResponseEncoder.copiedBodyLimit`, which other responses may share.
  var sharedBody: UnsentBytes.HeldBody?
  /// HEAD: only the length is sent.
  var omitsBody = false
  var persistence = Persistence.standard
  var delay = Duration.zero
  /// The fault `drop`: closes the connection instead.
  var isDropped = false
  var record: AccessRecord?

  enum Persistence: Sendable {
    case standard
    case keepAlive
    case close
  }

  init(_ response: Response) { self.response = response }

  /// Closes the connection after the response: the bytes after an invalid request cannot be trusted.
  static func rejection(_ error: RequestError, retryAfter: String? = nil) -> QueuedResponse {
    var queued = QueuedResponse(ErrorStyle.json.response(error.status, Failure(.usage, error.reason), true))
    queued.response.headers["Retry-After"] = retryAfter
    queued.persistence = .close
    return queued
  }

  var bodyCount: Int { omitsBody ? 0 : response.body.count }
}
