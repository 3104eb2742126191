import HTTP
import System

/// Service for a caller that plans its requests and handles each rejection itself.
public struct PacedEndpoint {
  public let endpoint: Endpoint
  /// Endpoint whose calls use the reserved slot, if there is one.
  public let reserved: Endpoint
  private let limited: RateLimitingTransport?

  init(
    _ base: URL, _ headers: Headers, _ limited: RateLimitingTransport,
    recorded: (any Transport) -> any Transport = { $0 }
  ) {
    endpoint = Endpoint(base, headers: headers, recorded(limited))
    reserved = Endpoint(base, headers: headers, recorded(Reserved(limited: limited)))
    self.limited = limited
  }

  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    reserved = endpoint
    limited = nil
  }

  /// Remaining calls in the ledger that all processes share.
  public struct Budget: Equatable, Sendable {
    public var left: Int
    /// Time until all calls are available again.
    public var renewal: Duration

    public init(left: Int, renewal: Duration) {
      self.left = left
      self.renewal = renewal
    }
  }

  /// Remaining calls; nil without a limit: a backend in the process, a recording.
  public func budget() throws(Failure) -> Budget? {
    guard let limited else { return nil }
    return Budget(left: try limited.remaining(endpoint.base), renewal: limited.renewal)
  }

  /// Reserves a call of the current window of the rate limit, if the window lasts for `ahead`.
  public func reserve(ahead: Duration) throws(Failure) { try limited?.reserve(endpoint.base, ahead: ahead) }

  private struct Reserved: Transport {
    let limited: RateLimitingTransport

    func send(_ request: Request) throws(Failure) -> ReceivedResponse { try limited.sendReserved(request) }
  }
}
