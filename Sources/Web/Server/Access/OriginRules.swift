import HTTP
import System

/// Refuses requests of unexpected origin.
///
/// A server that listens on this machine trusts its programs. Two things could make strangers look like them: a page in
/// a browser of this machine (which can send requests anywhere, and under a name of its own by DNS rebinding), and a
/// proxy in front of a server that nobody declared public.
public struct OriginRules: Equatable, Sendable {
  /// Whether others reach the server, directly or through a proxy.
  public var isPublic = false
  /// Names of the server besides those of this machine, in lower case and without a port.
  public var hosts: Set<String> = []
  /// Whether a public server refuses requests for other names too.
  public var requiresHost = false
  /// Addresses of proxies on other machines, whose reports about their clients are trusted.
  public var proxies: Set<String> = []

  public init() {}

  /// Whether the peer of a public server is a proxy: on this machine, on a socket file (nil), or one of `proxies`.
  func isProxy(_ peer: SocketAddress?) -> Bool {
    guard isPublic else { return false }
    guard let peer, !peer.isLoopback else { return true }
    // An IPv6 socket reports IPv4 addresses with this prefix.
    let mapped = "::ffff:"
    return proxies.contains(
      peer.host.hasPrefix(mapped) ? String(peer.host.dropFirst(mapped.count)) : peer.host)
  }

  func refusal(of request: ReceivedRequest) -> (status: Int, failure: Failure)? {
    let head = request.head
    func forbidden(_ reason: String) -> (Int, Failure) { (403, Failure(.unauthorized, reason)) }
    let (host, origin) = (request.text(head.host), request.text(head.origin))
    if !isPublic, head.isForwarded {
      return forbidden("this server is not declared public, and the request came through a proxy")
    }
    if !isPublic || requiresHost, !host.isEmpty, !isOwnName(host) {
      return forbidden("this server does not have the name '\(host)'")
    }
    guard !request.method.isSafe else { return nil }
    if head.hasOrigin, origin != "http://\(host)", origin != "https://\(host)" {
      return forbidden("pages of '\(origin)' may not change anything")
    }
    // Without a preflight request, a page can send only the types of forms.
    if request.hasBody, !OriginRules.isJSON(request.header("Content-Type")) {
      return (415, Failure(.usage, "the body must be application/json"))
    }
    return nil
  }

  private func isOwnName(_ host: String) -> Bool {
    let name = OriginRules.name(host)
    if name == "localhost" || hosts.contains(name) { return true }
    let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
    return SocketAddress(numeric: bare, port: 0)?.isLoopback ?? false
  }

  /// Returns the host in lower case and without its port.
  public static func name(_ host: String) -> String {
    let host = host.lowercased()
    guard let colon = host.lastIndex(of: ":"),
      host[host.index(after: colon)...].utf8.allSatisfy(\.isASCIIDigit),
      !host.hasPrefix("[") || host[..<colon].hasSuffix("]")
    else { return host }
    return String(host[..<colon])
  }

  private static func isJSON(_ field: String?) -> Bool {
    (field ?? "").lowercased().prefix { $0 != ";" && $0 != " " } == "application/json"
  }
}

extension OriginRules {
  /// Returns the peer, or the client that it reports if it is a proxy. Reports of others are not trusted.
  func client(of request: ReceivedRequest, from peer: SocketAddress?) -> SocketAddress? {
    guard isProxy(peer) else { return peer }
    return reportedClient(of: request) ?? peer
  }

  /// Returns the last address of `X-Forwarded-For` that is not a proxy's: each proxy appends that of its client.
  private func reportedClient(of request: ReceivedRequest) -> SocketAddress? {
    var found: SocketAddress?
    for text in request.text(request.head.forwardedFor).split(separator: ",").reversed() {
      // The elements before one that is no address cannot be trusted.
      guard let address = OriginRules.address(text.trimmed[...]) else { break }
      found = address
      if !isProxy(address) { break }
    }
    return found
  }

  /// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
  private static func address(_ text: Substring) -> SocketAddress? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      return SocketAddress(numeric: String(text[..<end].dropFirst()), port: 0)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return SocketAddress(numeric: String(parts.count == 2 ? parts[0] : text), port: 0)
  }
}
