import System

/// Sends a request to a service and returns the response. `SocketTransport` and `CurlTransport` use the network,
/// `EmbeddedTransport` calls a backend in the process; all others are decorators.
public protocol Transport {
  /// Throws if there was no complete response; a status of 500 is a response. The failure is marked `retryable` only
  /// if the request may be sent again: for a POST, if no part of it was sent.
  func send(_ request: Request) throws(Failure) -> Response

  /// Removes the stored response to a GET: the caller found that it violates the service's contract. Only a cache
  /// stores responses; a decorator that may be above one passes the call on.
  func discard(_ request: Request)
}

extension Transport {
  public func discard(_ request: Request) {}
}
