import HTTP
import System

/// A response on its way to a connection.
struct Answer {
  var response: Response
  /// HEAD: the length is told, the body is not sent.
  var omitsBody = false
  var connection = Persistence.stays
  /// The request came from a page of another origin, which may read the answer.
  var isShared = false
  var isHandlers = false
  var backend: Int?
  var delay = Duration.zero
  /// `drop`: the connection ends in place of the answer.
  var isDropped = false
  var record: Record?

  /// What an access log wants to know, noted only where there is one.
  struct Record {
    let method: Method
    let target: String
    let since: Duration
    var failure: Failure?
  }

  enum Persistence: Sendable {
    case stays
    /// HTTP/1.0 must be told.
    case staysAlive
    case closes
  }

  init(_ response: Response) {
    self.response = response
  }

  /// The interim answer to `Expect: 100-continue`.
  static var goOn: Answer { Answer(Response(100)) }

  /// What is left unread after it cannot be trusted, so the connection closes.
  static func refusal(_ refusal: Refusal) -> Answer {
    var answer = Answer(ErrorStyle.json.answer(refusal.status, Failure(.usage, refusal.reason), true))
    answer.connection = .closes
    return answer
  }

  var bodyCount: Int { omitsBody ? 0 : response.body.count }
}
