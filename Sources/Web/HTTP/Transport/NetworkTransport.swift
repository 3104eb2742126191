import System

/// Sends requests outside the process: plain http within this machine over hw's own sockets, everything else with
/// libcurl, which is loaded only then.
public final class NetworkTransport: Transport {
  private let redirecting: RedirectingTransport

  public init(environment: Environment, limits: TimeLimits, time: any TimeKeeper) {
    redirecting = RedirectingTransport(
      inner: DirectTransport(
        socket: SocketTransport(limits: limits, time: time),
        curl: CurlTransport(environment: environment, limits: limits, time: time)))
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse { try redirecting.send(request) }

  /// Sends one request. A redirect in the response may belong to another transport.
  private struct DirectTransport: Transport {
    let socket: SocketTransport
    let curl: CurlTransport

    func send(_ request: Request) throws(Failure) -> ReceivedResponse {
      switch request.url.scheme {
      case .unix: try socket.send(request)
      case .http where request.url.isLoopback: try socket.send(request)
      case .http, .https: try curl.send(request)
      case .demo, .embedded, .gbfs: throw Failure(.defect, "'\(request.url)' was sent to the network")
      }
    }
  }
}
