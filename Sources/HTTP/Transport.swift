import System

/// Carries a request to a service and brings the answer back. The three at the bottom are the network's
/// (`SocketTransport`, `CurlTransport`) and the process's own (`EmbeddedTransport`); every other is a decorator.
public protocol Transport {
  /// Throws when no whole response was had; a status of 500 is a response. The failure is marked `retryable` only
  /// where the request may be sent again: for a POST, where nothing of it was sent.
  func send(_ request: Request) throws(Failure) -> Response
}
