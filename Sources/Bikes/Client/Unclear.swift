import HTTP
import System

/// Changes whose answer was lost: they may have been done, so somebody has to look.
extension BikesClient {
  /// A change of a bike as it was seen. Sent again only where the server keeps its answers: elsewhere the second might
  /// undo what somebody else did after the first, and free a bike for instance that was rented in between.
  func change(_ method: Method, _ path: URL.Path, body: [UInt8] = [], keepsAnswers: Bool) -> Request {
    var request = endpoint.request(method, path, headers: keyed(), body: body)
    request.isOnlyOnce = !keepsAnswers
    return request
  }

  /// The answer to a change. That of a server in trouble is a failure, and leaves open what was done as a lost one does.
  func answer(_ request: Request) throws(Failure) -> Response {
    let response = try endpoint.send(request)
    if response.status == 408 || response.status >= 500 { throw response.failure(answering: request) }
    return response
  }

  /// The bike after a change that failed so; nil when it is gone. Who interrupts a command does not wait for that.
  func lookAgain(_ id: String, after failure: Failure? = nil) -> Result<Bike?, Failure> {
    if let failure, failure.kind == .interrupted { return .failure(failure) }
    do throws(Failure) {
      return .success(try bike(id))
    } catch {
      return error == BikesClient.unknown(id) ? .success(nil) : .failure(error)
    }
  }
}

extension Failure {
  /// The same failure with what stands, and how to go on.
  func saying(_ state: String, again: String? = nil) -> Failure {
    guard self != .explained else { return self }
    var failure = self
    failure.message = "\(state): \(message)"
    failure.hint = again ?? hint
    return failure
  }

  /// The same failure with what was found out after it, and how to go on.
  func adding(_ finding: String, hint: String) -> Failure {
    var failure = self
    failure.message = "\(message); \(finding)"
    failure.hint = hint
    return failure
  }

  /// The same failure. Who interrupts a command is not told of it: but of what it may have done, and that is said here.
  func told(_ report: (String) -> Void) -> Failure {
    guard kind == .interrupted, self != .explained, message != Interruption.failure.message else {
      return self
    }
    report([message, hint].compactMap { $0 }.joined(separator: "; "))
    return self
  }
}
