import HTTP
import System

/// A service that returns the given responses and remembers the requests.
public final class ScriptedTransport: Transport {
  private let respond: (Request) throws(Failure) -> Response
  public private(set) var requests: [Request] = []

  /// Adds what the transports below would have noted.
  public var change: (inout ReceivedResponse) -> Void = { _ in }

  public init(_ respond: @escaping (Request) throws(Failure) -> Response) { self.respond = respond }

  /// One outcome per request. The last one is repeated.
  public convenience init(_ outcomes: Result<Response, Failure>...) {
    var left = outcomes[...]
    self.init { _ throws(Failure) in
      let outcome = left.count > 1 ? left.removeFirst() : left.first
      return try (outcome ?? .success(Response(500))).get()
    }
  }

  /// One response per request. The last one is repeated.
  public convenience init(_ responses: Response...) {
    var left = responses[...]
    self.init { _ in (left.count > 1 ? left.removeFirst() : left.first) ?? Response(500) }
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    requests.append(request)
    var response = ReceivedResponse(try respond(request))
    change(&response)
    return response
  }

  /// Path and query of each request whose response is not to be kept.
  public private(set) var discarded: [String] = []

  public func discard(_ request: Request) { discarded.append(request.url.target) }

  /// Path and query of each request.
  public var targets: [String] { requests.map(\.url.target) }
}
