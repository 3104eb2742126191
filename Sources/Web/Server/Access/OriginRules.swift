import HTTP
import System

/// Rules for the origin of a server's requests.
///
/// A server that listens on this machine trusts its programs. Two things could make strangers look like them: a page in
/// a browser of this machine (which can send requests anywhere, and under a name of its own by DNS rebinding), and a
/// proxy in front of a server that nobody declared public.
public struct OriginRules: Equatable, Sendable {
  /// Others reach the server, directly or through a proxy.
  public var isPublic = false
  /// Names of the server besides those of this machine, in lower case and without a port.
  public var hosts: Set<String> = []
  /// A public server refuses requests for other names too.
  public var requiresHost = false
  /// Proxies on other machines, by their addresses: what they report about their clients is trusted.
  public var proxies: Set<String> = []

  public init() {}

  /// Whether requests from there are those of others: a proxy on this machine, on a socket file, or one of `proxies`.
  func isProxy(_ peer: SocketAddress?) -> Bool {
    guard isPublic else { return false }
    guard let peer, !peer.isLoopback else { return true }
    // As a socket of IPv6 shows an address of IPv4.
    let mapped = "::ffff:"
    return proxies.contains(
      peer.host.hasPrefix(mapped) ? String(peer.host.dropFirst(mapped.count)) : peer.host)
  }

  /// The refusal of a request, with its status; nil for one that may be answered.
  func refusal(of request: ReceivedRequest) -> (status: Int, failure: Failure)? {
    let head = request.head
    if !isPublic {
      if head.isForwarded {
        return (
          403,
          Failure(.unauthorized, "this server is not declared public, and the request came through a proxy")
        )
      }
    }
    if !isPublic || requiresHost {
      guard head.host.isEmpty || isOwnName(request.text(head.host)) else {
        return (
          403, Failure(.unauthorized, "this server does not have the name '\(request.text(head.host))'")
        )
      }
    }
    guard !request.isRead else { return nil }
    if head.hasOrigin, !mayWrite(request.text(head.origin), host: request.text(head.host)) {
      return (403, Failure(.unauthorized, "pages of '\(request.text(head.origin))' may not change anything"))
    }
    // The types that a page can send without asking first are those of forms.
    if request.hasBody, !OriginRules.isJSON(request.header("Content-Type")) {
      return (
        415, Failure(.usage, "the body must be application/json")
      )
    }
    return nil
  }

  private func mayWrite(_ origin: String, host: String) -> Bool {
    origin == "http://\(host)" || origin == "https://\(host)"
  }

  private func isOwnName(_ host: String) -> Bool {
    let name = OriginRules.name(host)
    if name == "localhost" || hosts.contains(name) { return true }
    let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    return SocketAddress(numeric: bare, port: 0)?.isLoopback ?? false
  }

  /// A host without its port, in lower case.
  public static func name(_ host: String) -> String {
    let host = host.lowercased()
    guard let colon = host.lastIndex(of: ":"),
      host[host.index(after: colon)...].utf8.allSatisfy(\.isASCIIDigit),
      !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
    else { return host }
    return String(host[..<colon])
  }

  private static func isJSON(_ field: String?) -> Bool {
    guard let field else { return false }
    let type = field.lowercased().prefix { $0 != ";" && $0 != " " }
    return type == "application/json"
  }
}
