import System

/// Sends a request to a service and returns the response. `SocketTransport` and `CurlTransport` use the network,
/// `EmbeddedTransport` calls a backend in the process; all others are decorators.
public protocol Transport {
  /// Throws if there was no complete response; a status of 500 is a response. The failure is marked `retryable` only
  /// if the request may be sent again: for a POST, if no part of it was sent.
  func send(_ request: Request) throws(Failure) -> Response
}
