import HTTP
import System

/// `Route(.put, "/bikes/:id/rented") { call throws(Failure) in … }`
///
/// A segment `:name` matches any one segment, which the handler reads as `call["name"]`. A literal segment takes
/// precedence over a parameter. A GET route serves HEAD too.
public struct Route {
  public let method: Method
  public let pattern: String
  /// Whether the route stores nothing in spite of its method, so that it needs a token only if reads need one.
  let isOpen: Bool
  /// Whether a token is required even if reads need none.
  var needsToken: Bool { method != .get && method != .head && !isOpen }
  let handler: (Call) throws(Failure) -> Reply

  /// Called on one thread, one request at a time: state needs no lock, and a slow handler delays all clients. A failure
  /// becomes a response in the backend's error style. `handler` wraps the response in a `Reply`.
  public typealias Handler = (Call) throws(Failure) -> Response

  public init(_ method: Method, _ pattern: String, isOpen: Bool = false, handler: @escaping Handler) {
    self.method = method
    self.pattern = pattern
    self.isOpen = isOpen
    self.handler = { call throws(Failure) in .response(try handler(call)) }
  }

  public init(_ method: Method, _ pattern: String, reply: @escaping (Call) throws(Failure) -> Reply) {
    self.method = method
    self.pattern = pattern
    isOpen = false
    handler = reply
  }
}

public enum Reply {
  case response(Response)
  /// An error for the client, while the handler's changes are stored.
  case refused(Failure)
  /// The handler has read a part into a cache of the backend, and is called again after other requests.
  case unfinished
}

public struct Call: Sendable {
  var routed: RoutedRequest
  public internal(set) var caller = Caller.local
  /// Whether the server has users, and restricts each to what is theirs.
  public internal(set) var serverHasUsers = false
  let backend: Int
  let route: Int
  /// Number of segments of the path before those of the pattern.
  private let skipped: Int
  private let pattern: String

  init?(_ routed: RoutedRequest, _ routes: [[Route]]) {
    guard case .found(let backend, let route, let skipped) = routed.resolution else { return nil }
    (self.routed, self.backend, self.route, self.skipped) = (routed, backend, route, skipped)
    pattern = routes[backend][route].pattern
  }

  public var request: ReceivedRequest { routed.request }

  var isChange: Bool { !routed.request.method.isSafe }
  public var method: Method { routed.request.method }
  public var query: Query { request.query }
  public var body: [UInt8] { request.body }
  public func header(_ name: StaticString) -> String? { request.header(name) }

  /// Returns the decoded segment for `:name`, which the pattern must contain.
  public subscript(_ name: String) -> String {
    if let value = value(of: name) { return value }
    assertionFailure("the route has no parameter ':\(name)'")
    return ""
  }

  /// Returns the decoded segment for `:name`, or nil if the pattern does not contain it.
  public func value(of name: String) -> String? {
    let slash = UInt8(ascii: "/")
    var segment = skipped
    var rest = pattern.utf8.drop { $0 == slash }
    while !rest.isEmpty {
      let part = rest.prefix { $0 != slash }
      if part.first == UInt8(ascii: ":"), part.dropFirst().elementsEqual(name.utf8) {
        return routed.path?.text(segment)
      }
      rest = rest.dropFirst(part.count + 1)
      segment += 1
    }
    return nil
  }
}

/// A path, split at its slashes. One slash at the end is ignored.
struct PathSegments: Sendable {
  /// The request's bytes, or the decoded segments if the path was percent-encoded.
  private(set) var bytes: [UInt8]
  private var bounds = InlineArray<16, (start: Int, end: Int)>(repeating: (0, 0))
  private(set) var count = 0

  /// No route is deeper.
  static var maxCount: Int { 16 }

  /// Returns nil for a path that is deeper than any route, malformed, or not UTF-8 when decoded.
  init?(_ bytes: [UInt8], _ path: Range<Int>) {
    self.bytes = bytes
    var isEncoded = false
    var start = path.lowerBound + 1
    while start < path.upperBound {
      var end = start
      while end < path.upperBound, bytes[end] != UInt8(ascii: "/") {
        if bytes[end] == UInt8(ascii: "%") { isEncoded = true }
        end += 1
      }
      guard count < PathSegments.maxCount else { return nil }
      bounds[count] = (start, end)
      count += 1
      start = end + 1
    }
    if isEncoded, !decode() { return nil }
  }

  subscript(_ index: Int) -> Range<Int> { bounds[index].start..<bounds[index].end }

  func text(_ index: Int) -> String { String(decoding: bytes[self[index]], as: UTF8.self) }

  /// Decodes segments one by one: an encoded slash is no separator.
  private mutating func decode() -> Bool {
    var decoded: [UInt8] = []
    for index in 0..<count {
      guard let segment = PercentEncoding.decode(text(index))?.utf8 else { return false }
      bounds[index] = (decoded.count, decoded.count + segment.count)
      decoded += segment
    }
    bytes = decoded
    return true
  }
}
