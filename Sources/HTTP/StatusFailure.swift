import System

extension Response {
  /// The failure that an unexpected status is, in the service's own words where it has some.
  ///
  /// A 5xx is a failure of the connection (exit 5), as is a time-out: the service cannot be had now and may be later,
  /// which is all that a script wants to know. A status that fits none of the kinds breaks the contract (exit 6).
  public func failure(answering request: Request) -> Failure {
    let words = excerpt.map { ": \($0)" } ?? ""
    let message = "'\(request.summary)' was answered \(status)\(words)"
    return switch status {
    case 400, 422:
      Failure(.usage, message, hint: "the service refuses what was asked: check the values")
    case 401, 403:
      Failure(.unauthorized, message, hint: "check the key or token, and what it allows")
    case 404, 410:
      Failure(.notFound, message, hint: "check the name or id, and the address of the service")
    case 407:
      Failure(
        .unauthorized, message, hint: "the proxy wants a user name: give it in http_proxy or HTTPS_PROXY")
    case 409:
      Failure(.conflict, message, hint: "look at what is there, then decide")
    case 429:
      Failure(
        .rateLimited, message, hint: "wait, then try again", retryable: true,
        details: secondsToWait.map { [Failure.Detail("retryAfter", .integer($0))] } ?? [])
    case 507:
      Failure(.connection, message, hint: "the service has no room left: tell whoever runs it")
    case 408, 500...599:
      Failure(
        .connection, message, hint: "the service is in trouble: try later",
        retryable: request.mayBeRepeated, outcomeUnknown: !request.method.isSafe)
    default:
      Failure(.invalidData, message, hint: "check that the address is that of the service")
    }
  }

  /// `Retry-After` where it is a number; as a date it needs a clock, which is for whoever waits to have.
  private var secondsToWait: Int? {
    headers["Retry-After"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
