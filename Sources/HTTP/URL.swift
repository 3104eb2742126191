import System

/// An address, checked once when it is read and then taken apart.
///
/// hw's own schemes stand beside http and https: `demo:` and `embedded:` for the backends in the process, and
/// `unix:/path` for a server behind a socket file. All of them have a request path below their root; after a file it
/// is written behind a colon, as nginx does: `unix:/run/hw.sock:/scores`.
public struct URL: Hashable, Sendable {
  public enum Scheme: String, CaseIterable, CustomStringConvertible, Sendable {
    case http
    case https
    case unix
    case demo
    case embedded

    /// Said, for what prints a case without it looks the name up by reflection, which costs as much as a request.
    public var description: String { rawValue }
  }

  public var scheme: Scheme
  /// In lower case, an IPv6 address without its brackets. Empty for hw's own schemes.
  public var host: String
  public var port: Int
  /// Begins with `/`, or is empty; percent-encoded as it goes over the wire.
  public var path: String
  /// Percent-encoded, without the `?`.
  public var query: String
  /// The socket file of `unix:`.
  public var socket: String
  /// The database file of `embedded:`; empty for the usual one.
  public var database: String

  public init(
    scheme: Scheme, host: String = "", port: Int? = nil, path: String = "", query: String = "",
    socket: String = "", database: String = ""
  ) {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.port
    self.path = path
    self.query = query
    self.socket = socket
    self.database = database
  }
}

extension URL.Scheme {
  /// The port that an address of this scheme need not name.
  public var port: Int { self == .https ? 443 : 80 }

  /// Whether the address names a host on a network.
  public var hasHost: Bool { self == .http || self == .https }
}

extension URL: CustomStringConvertible {
  /// Reads back as the same address.
  public var description: String {
    let below = path.isEmpty && query.isEmpty ? "" : target
    return switch scheme {
    case .http, .https: "\(scheme)://\(authority)\(path)\(query.isEmpty ? "" : "?\(query)")"
    case .demo: "demo:\(below)"
    case .unix: "unix:\(socket)\(below.isEmpty ? "" : ":\(below)")"
    case .embedded: "embedded:\(database)\(below.isEmpty ? "" : ":\(below)")"
    }
  }
}

extension URL {
  /// Host and port as the `Host` field names them: the port only where it is not the scheme's own.
  public var authority: String {
    guard scheme.hasHost else { return "localhost" }
    let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
    return port == scheme.port ? name : "\(name):\(port)"
  }

  /// What a request line asks for.
  public var target: String {
    (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?\(query)")
  }

  /// Two addresses of one origin trust each other with credentials.
  public func hasSameOrigin(as other: URL) -> Bool {
    (scheme, host, port, socket, database) == (
      other.scheme, other.host, other.port, other.socket, other.database
    )
  }

  /// A backend in the process answers.
  public var isEmbedded: Bool { scheme == .demo || scheme == .embedded }

  /// Only this machine can answer.
  public var isLoopback: Bool {
    guard scheme.hasHost else { return true }
    return host == "localhost" || SocketAddress(numeric: host, port: 0)?.isLoopback == true
  }

  /// The address below this one: `base.appending(path: "bikes/\(id)/rented", query: ["radius": "500"])`.
  public func appending(path below: Path, query items: Query = [:]) -> URL {
    var url = self
    if !below.encoded.isEmpty {
      if url.path.hasSuffix("/") { url.path.removeLast() }
      url.path += below.encoded.hasPrefix("/") ? below.encoded : "/" + below.encoded
    }
    if !items.isEmpty { url.query += (query.isEmpty ? "" : "&") + items.encoded }
    return url
  }

  /// A path as a literal: what stands in it separates with `/`; a value put into it is one segment, whatever it holds.
  public struct Path: ExpressibleByStringInterpolation, Sendable {
    let encoded: String

    public init(stringLiteral text: String) {
      encoded = PercentEncoding.encode(text, keeping: PercentEncoding.path)
    }

    public init(stringInterpolation path: StringInterpolation) {
      encoded = path.encoded
    }

    public struct StringInterpolation: StringInterpolationProtocol {
      var encoded = ""

      public init(literalCapacity: Int, interpolationCount: Int) {}

      public mutating func appendLiteral(_ text: String) {
        encoded += PercentEncoding.encode(text, keeping: PercentEncoding.path)
      }

      public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
        encoded += PercentEncoding.encode(value.description)
      }
    }
  }

  /// Names and values in their order; a value of nil leaves its name out.
  public struct Query: ExpressibleByDictionaryLiteral, Equatable, Sendable {
    public private(set) var items: [Item]

    public struct Item: Equatable, Sendable {
      public let name: String
      public let value: String
    }

    public init(dictionaryLiteral elements: (String, String?)...) {
      items = elements.compactMap { name, value in value.map { Item(name: name, value: $0) } }
    }

    public mutating func append(_ name: String, _ value: String?) {
      if let value { items.append(Item(name: name, value: value)) }
    }

    public var isEmpty: Bool { items.isEmpty }

    public var encoded: String {
      items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(
        separator: "&")
    }
  }
}

/// The `%41` of addresses (RFC 3986, section 2.1).
public enum PercentEncoding {
  /// Encodes everything but letters, digits and `-._~`, so that the text can stand anywhere in an address.
  public static func encode(_ text: String) -> String { encode(text, keeping: unreserved) }

  /// Nil when a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
  public static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(nibble), let low = rest.next().flatMap(nibble) else { return nil }
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

  static func unreserved(_ byte: UInt8) -> Bool {
    ByteSet.alphanumeric.contains(byte) || "-._~".utf8.contains(byte)
  }

  /// What may stand in a path unencoded, the slash included.
  static func path(_ byte: UInt8) -> Bool {
    unreserved(byte) || "/!$&'()*+,;=:@".utf8.contains(byte)
  }

  /// What a reader leaves as it is in a path or query: encoded parts stay encoded, and the square brackets of
  /// `team_ids[]=14`, which no grammar allows, are sent as people write them.
  static func written(_ byte: UInt8) -> Bool {
    path(byte) || "%?[]".utf8.contains(byte)
  }

  /// The value of a hexadecimal digit.
  static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)
}
