import System

enum RequestClient {
  /// Returns the peer, or the client that it reports if it is a proxy. Reports of others are not trusted.
  static func address(
    of request: ReceivedRequest, from peer: SocketAddress?, _ origins: OriginRules
  ) -> SocketAddress? {
    guard origins.isProxy(peer) else { return peer }
    return reported(by: request, origins) ?? peer
  }

  /// Returns the last address of `X-Forwarded-For` that is not a proxy's: a proxy appends its client to what that sent.
  private static func reported(by request: ReceivedRequest, _ origins: OriginRules) -> SocketAddress? {
    var found: SocketAddress?
    for text in request.text(request.head.forwardedFor).split(separator: ",").reversed() {
      // What precedes an element that is no address cannot be trusted.
      guard let address = parse(text.trimmed[...]) else { break }
      found = address
      if !origins.isProxy(address) { break }
    }
    return found
  }

  /// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
  private static func parse(_ text: Substring) -> SocketAddress? {
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      return SocketAddress(numeric: String(text[..<end].dropFirst()), port: 0)
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return SocketAddress(numeric: String(parts.count == 2 ? parts[0] : text), port: 0)
  }
}
