import HTTP
import System

/// The sockets that a server accepts connections from.
public struct ServerSockets {
  /// At least one.
  public var service: [Listener]
  /// Serves metrics, and nothing else.
  public var metrics: Listener?

  public init(_ service: [Listener], metrics: Listener? = nil) {
    self.service = service
    self.metrics = metrics
  }

  var all: [Listener] { service + [metrics].compactMap { $0 } }
}

/// Address that a server listens on: `127.0.0.1:7400`, `[::1]:7400`, `localhost:0` (any free port),
/// `unix:/run/hw.sock`.
public struct ListenAddress: Equatable, Sendable {
  public let socket: SocketAddress

  /// The default of `--listen`.
  public static let standard = "127.0.0.1:7400"

  /// Addresses are numeric, because a host name can have several.
  public init(_ text: String) throws(Failure) {
    if text.hasPrefix("unix:") {
      guard let socket = SocketAddress(unixPath: String(text.dropFirst(5))) else {
        throw Failure(
          .usage, "malformed socket file '\(text)'",
          hint: "the path must not be empty, nor longer than 107 bytes")
      }
      self.socket = socket
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = ListenAddress.port(text[text.index(after: colon)...]),
      let socket = SocketAddress(numeric: try ListenAddress.host(text[..<colon], text), port: port)
    else { throw ListenAddress.malformed(text) }
    self.socket = socket
  }

  /// Only reachable from this machine.
  public var isLoopback: Bool { socket.isLoopback }

  private static func port(_ text: Substring) -> UInt16? {
    text.utf8.allSatisfy(\.isASCIIDigit) ? UInt16(text) : nil
  }

  private static func host(_ text: Substring, _ whole: String) throws(Failure) -> String {
    if text == "localhost" { return "127.0.0.1" }
    if text.hasPrefix("["), text.hasSuffix("]"), text.contains(":") {
      return String(text.dropFirst().dropLast())
    }
    guard !text.contains(":") else { throw malformed(whole) }
    return String(text)
  }

  private static func malformed(_ text: String) -> Failure {
    Failure(
      .usage, "malformed address '\(text)'",
      hint: "write 127.0.0.1:7400, [::1]:7400 or unix:/path; port 0 picks one")
  }
}
