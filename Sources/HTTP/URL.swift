import System

/// An address, checked once when it is read and then taken apart.
///
/// hw's own schemes stand beside http and https: `demo:` and `embedded:` for the backends in the process, and
/// `unix:/path` for a server behind a socket file (the request path is then always below the service's root).
public struct URL: Hashable, Sendable {
  public enum Scheme: String, CaseIterable, Sendable {
    case http
    case https
    case unix
    case demo
    case embedded
  }

  public var scheme: Scheme
  /// As it stands in the address: lower case, IPv6 in brackets left off. Empty for hw's own schemes.
  public var host: String
  public var port: Int
  /// Begins with `/`, or is empty; percent-encoded as it goes over the wire.
  public var path: String
  /// Percent-encoded, without the `?`.
  public var query: String
  /// The socket file of `unix:`.
  public var socket: String

  public init(
    scheme: Scheme, host: String = "", port: Int? = nil, path: String = "", query: String = "",
    socket: String = ""
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? (scheme == .https ? 443 : 80)
    self.path = path
    self.query = query
    self.socket = socket
  }
}
