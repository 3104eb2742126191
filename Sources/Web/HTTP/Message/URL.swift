import System

/// An address, validated when it is parsed.
///
/// Besides http and https there are hw's own schemes: `demo:` and `embedded:` for the backends in the process,
/// `gbfs:https://host/gbfs.json` for one that reads a feed, and `unix:/path` for a server on a Unix socket. All of them
/// have a request path; after a file or a feed it follows a colon, as in nginx: `unix:/run/hw.sock:/scores`.
public struct URL: Hashable, Sendable, CustomStringConvertible {
  public enum Scheme: String, CaseIterable, CustomStringConvertible, Sendable {
    case http
    case https
    case unix
    case demo
    case embedded
    case gbfs

    /// Declared because the default looks the name up by reflection, which costs as much as a request.
    public var description: String { rawValue }
  }

  public var scheme: Scheme
  /// Lower case; an IPv6 address has no brackets. Empty for hw's own schemes.
  public var host: String
  public var port: Int
  /// Percent-encoded; begins with `/` or is empty.
  public var path: String
  /// Percent-encoded, without the `?`.
  public var query: String
  public var socket: String
  /// Database directory of `embedded:`; empty for the default.
  public var database: String
  public var feed: String

  public init(
    scheme: Scheme, host: String = "", port: Int? = nil, path: String = "", query: String = "",
    socket: String = "", database: String = "", feed: String = ""
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.defaultPort
    self.path = path
    self.query = query
    self.socket = socket
    self.database = database
    self.feed = feed
  }
}

extension URL.Scheme {
  public var defaultPort: Int { self == .https ? 443 : 80 }

  public var hasHost: Bool { self == .http || self == .https }
}

extension URL {
  /// The text that parses as this address.
  public var description: String {
    let below = path.isEmpty && query.isEmpty ? "" : target
    return switch scheme {
    case .http, .https: "\(scheme)://\(authority)\(path)\(query.isEmpty ? "" : "?\(query)")"
    case .demo: "demo:\(below)"
    case .unix, .embedded, .gbfs: "\(scheme):\(socket)\(database)\(feed)\(below.isEmpty ? "" : ":\(below)")"
    }
  }

  /// The address for messages: `embedded:/path`, although only `embedded::/path` can be parsed.
  var shown: String {
    guard scheme == .embedded, database.isEmpty, !(path.isEmpty && query.isEmpty) else { return description }
    return "embedded:\(target)"
  }

  /// Host and port as in the `Host` field: the port only if it is not the scheme's default.
  public var authority: String {
    guard scheme.hasHost else { return "localhost" }
    return port == scheme.defaultPort ? bracketedHost : "\(bracketedHost):\(port)"
  }

  /// The host, with brackets if it is an IPv6 address.
  var bracketedHost: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

  public var target: String { (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?\(query)") }

  public func hasSameOrigin(as other: URL) -> Bool {
    (scheme, host, port, socket, database, feed) == (
      other.scheme, other.host, other.port, other.socket, other.database, other.feed
    )
  }

  public var isEmbedded: Bool { scheme == .demo || scheme == .embedded || scheme == .gbfs }

  public var isLoopback: Bool { !scheme.hasHost || SocketAddress.isOnThisMachine(host) }

  public var withoutTrailingSlash: URL {
    var url = self
    while url.path.hasSuffix("/") { url.path.removeLast() }
    return url
  }

  /// Normalizes the address for data of each service: no slash at the end, one name for this machine, the real path.
  public var identity: URL {
    var url = withoutTrailingSlash
    if scheme.hasHost, isLoopback { url.host = "localhost" }
    if !database.isEmpty { url.database = File.realPath(database) }
    if !socket.isEmpty { url.socket = File.realPath(socket) }
    return url
  }

  /// The address of a path below this one: `base.appending(path: "bikes/\(id)/rented", query: ["radius": "500"])`.
  public func appending(path below: Path, query items: Query = [:]) -> URL {
    var url = self
    if !below.encoded.isEmpty {
      if url.path.hasSuffix("/") { url.path.removeLast() }
      url.path += below.encoded.hasPrefix("/") ? below.encoded : "/" + below.encoded
    }
    if !items.encoded.isEmpty { url.query += (query.isEmpty ? "" : "&") + items.encoded }
    return url
  }

  /// A path as a literal, whose slashes are separators. An interpolated value is one segment, whatever it contains.
  public struct Path: ExpressibleByStringInterpolation, Sendable {
    let encoded: String

    public init(stringLiteral text: String) {
      encoded = PercentEncoding.encode(text, keeping: PercentEncoding.isPathByte)
    }

    public init(stringInterpolation path: StringInterpolation) { encoded = path.encoded }

    public struct StringInterpolation: StringInterpolationProtocol {
      var encoded = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ text: String) {
        encoded += PercentEncoding.encode(text, keeping: PercentEncoding.isPathByte)
      }

      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        encoded += PercentEncoding.encode(value.description)
      }
    }
  }

  /// Names and values in their order; a nil value omits its name.
  public struct Query: ExpressibleByDictionaryLiteral, Equatable, Sendable {
    fileprivate var encoded = ""

    public init(dictionaryLiteral elements: (String, String?)...) {
      for (name, value) in elements { append(name, value) }
    }

    public mutating func append(_ name: String, _ value: String?) {
      guard let value else { return }
      if !encoded.isEmpty { encoded += "&" }
      encoded += "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    }
  }
}

extension Substring {
  /// The decoded name and the encoded value of a query item; nil without `=`. A malformed name stays encoded.
  public var queryItem: (name: String, value: Substring)? {
    guard let equals = firstIndex(of: "=") else { return nil }
    let name = self[..<equals]
    return (PercentEncoding.decode(name) ?? String(name), self[index(after: equals)...])
  }
}

/// Percent-encoding (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Encodes everything except letters, digits and `-._~`, so that the text is valid anywhere in an address.
  public static func encode(_ text: String) -> String { encode(text, keeping: isUnreserved) }

  /// Returns nil if a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(\.hexDigitValue), let low = rest.next().flatMap(\.hexDigitValue)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  static func encode(_ text: some StringProtocol, keeping kept: (UInt8) -> Bool) -> String {
    let bytes = text.utf8.flatMap { byte in
      kept(byte) ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) }

  /// Whether a path may contain the byte unencoded; true for the slash, which separates segments.
  static func isPathByte(_ byte: UInt8) -> Bool { isUnreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte) }

  /// Whether parsing leaves the byte unchanged in a path or query. Encoded parts stay encoded, and the square brackets
  /// of `team_ids[]=14`, which the grammar does not allow, are sent as they are usually written.
  static func isKeptByte(_ byte: UInt8) -> Bool { isPathByte(byte) || "%?[]".utf8.contains(byte) }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
