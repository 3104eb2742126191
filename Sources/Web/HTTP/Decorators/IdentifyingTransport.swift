import System

/// Sends the client's name with each request (`User-Agent`), so that the operator of a service knows whom to ask.
public struct IdentifyingTransport: Transport {
  let inner: any Transport
  let name: String

  public init(_ inner: any Transport, as name: String) {
    self.inner = inner
    self.name = name
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    var request = request
    if request.headers["User-Agent"] == nil { request.headers["User-Agent"] = name }
    return try inner.send(request)
  }
}
