import HTTP
import System

/// A service as somebody sees it who plans calls ahead and decides alone what to do about each refusal.
public struct PacedEndpoint {
  public let endpoint: Endpoint
  /// Its calls are made on the one that was reserved, where one was.
  public let reserved: Endpoint
  private let limited: RateLimited?

  /// `recorded` is what stands around every way there.
  init(
    _ base: URL, _ headers: Headers, _ limited: RateLimited,
    recorded: (any Transport) -> any Transport = { $0 }
  ) {
    endpoint = Endpoint(base, headers: headers, recorded(limited))
    reserved = Endpoint(base, headers: headers, recorded(Reserved(limited: limited)))
    self.limited = limited
  }

  /// Where nobody counts.
  init(_ endpoint: Endpoint) {
    self.endpoint = endpoint
    reserved = endpoint
    limited = nil
  }

  /// What the ledger that all processes share leaves of the limit.
  public struct Budget: Equatable, Sendable {
    /// How many calls could be made now.
    public var left: Int
    /// How long until there are all of them again.
    public var renewal: Duration

    public init(left: Int, renewal: Duration) {
      self.left = left
      self.renewal = renewal
    }
  }

  /// Nil where nobody counts: a backend in the process, a recording.
  public func budget() throws(Failure) -> Budget? {
    guard let limited else { return nil }
    return Budget(left: try limited.remaining(endpoint.base), renewal: limited.renewal)
  }

  /// Keeps a call free for a later one, while the window it will fall in is running.
  public func reserve(ahead: Duration) throws(Failure) {
    try limited?.reserve(endpoint.base, ahead: ahead)
  }

  private struct Reserved: Transport {
    let limited: RateLimited

    func send(_ request: Request) throws(Failure) -> Response { try limited.sendReserved(request) }
  }
}
