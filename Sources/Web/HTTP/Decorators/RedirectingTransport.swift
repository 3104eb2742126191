import System

/// Follows redirects of GET and HEAD, with one set of rules for all transports: at most five redirects, never from
/// https to http, never to a file or into the process, and no secret headers to another origin.
struct RedirectingTransport: Transport {
  let inner: any Transport

  static let limit = 5

  func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    var request = request
    for _ in 0...RedirectingTransport.limit {
      let response = try inner.send(request)
      guard request.method == .get || request.method == .head,
        [301, 302, 303, 307, 308].contains(response.status), let reference = response.headers["Location"]
      else { return response }
      request = try RedirectingTransport.next(request, reference)
    }
    throw RedirectingTransport.redirectError(
      request, "redirects more than \(RedirectingTransport.limit) times",
      "the service may be redirecting in a circle")
  }

  private static func next(_ request: Request, _ reference: String) throws(Failure) -> Request {
    let target: URL
    do throws(Failure) {
      target = try request.url.resolving(reference)
    } catch {
      throw redirectError(request, "redirects to an invalid address: \(error.message)", nil)
    }
    let hasSameOrigin = target.hasSameOrigin(as: request.url)
    guard target.scheme.hasHost || hasSameOrigin else {
      throw redirectError(
        request, "redirects to '\(Secrets.shown(target))', which is not an address on a network", nil)
    }
    guard request.url.scheme != .https || target.scheme == .https else {
      throw redirectError(
        request, "redirects from https to '\(Secrets.shown(target))', which anybody on the way could read",
        "to use that address all the same, give it with --url")
    }
    var next = request
    next.url = target
    if !hasSameOrigin {
      for field in request.headers.fields where Secrets.isSecret(field.name) {
        next.headers[field.name] = nil
      }
    }
    return next
  }

  private static func redirectError(_ request: Request, _ reason: String, _ hint: String?) -> Failure {
    Failure(
      .invalidData, "'\(request.url.authority)' \(reason)",
      hint: hint ?? "check that the address is that of the service")
  }
}
