import System

/// What a client asks: the service's contract speaks in these, whatever carries them.
public struct Request: Equatable, Sendable {
  public var method: Method
  public var url: URL
  public var headers: Headers
  public var body: [UInt8]
  /// An answer of up to that age will do, whatever the service says of it: for whoever knows how seldom it changes.
  /// Zero wants one that is made now.
  public var maxAge: Duration?
  /// Twice is not as good as once, though the method says so: between the two somebody else may have done something that
  /// the second would undo. It is never sent again once it may have arrived.
  public var isOnlyOnce = false

  public init(_ method: Method, _ url: URL, headers: Headers = [:], body: [UInt8] = []) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

public enum Method: String, CaseIterable, Sendable {
  case get = "GET"
  case head = "HEAD"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"
  case options = "OPTIONS"
  case patch = "PATCH"
}
