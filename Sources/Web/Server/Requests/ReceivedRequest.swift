import HTTP
import System

/// A whole request, in the bytes that arrived. Parts that are not used never become a String.
public struct ReceivedRequest: Sendable {
  /// Contains the request's bytes from `start`, and possibly those of other requests.
  let bytes: [UInt8]
  let start: Int
  private let end: Int
  let head: RequestHead
  private let content: Range<Int>
  private let chunks: [UInt8]

  init(_ bytes: [UInt8], from start: Int, _ parser: borrowing RequestParser) {
    self.bytes = bytes
    self.start = start
    end = start + parser.position
    head = parser.head
    content = parser.content
    chunks = parser.chunks
  }

  private init(alone request: ReceivedRequest) {
    bytes = Array(request.bytes[request.start..<request.end])
    start = 0
    end = bytes.count
    head = request.head
    content = request.content
    chunks = request.chunks
  }

  /// A copy without the bytes of others: a kept request must not keep the buffer that it arrived in.
  var detached: ReceivedRequest { start == 0 && end == bytes.count ? self : ReceivedRequest(alone: self) }

  var count: Int { end - start + chunks.count }

  /// Encodes a request of the same process, and parses it as a server does, so that a demo rejects the same requests.
  init(_ request: Request, limits: RequestLimits = RequestLimits()) throws(RequestError) {
    var request = request
    request.headers["Host"] = nil
    let bytes: [UInt8]
    do throws(Failure) { bytes = try request.wire() } catch { throw RequestError(400, error.message) }
    var parser = RequestParser(limits)
    guard try parser.advance(bytes.span), parser.position == bytes.count else { throw .requestLine }
    self.init(bytes, from: 0, parser)
  }

  public var method: Method { head.method }

  public var path: String { head.isAsterisk ? "*" : head.path.isEmpty ? "/" : text(head.path) }

  public var target: String { head.query.isEmpty ? path : "\(path)?\(text(head.query))" }

  public var query: Query { Query(bytes[place(head.query)]) }

  public var body: [UInt8] { chunks.isEmpty ? Array(bytes[place(content)]) : chunks }

  public func header(_ name: StaticString) -> String? {
    let span = bytes.span
    var rest = place(head.fields)
    // The parser has checked the lines.
    while let lineFeed = bytes[rest].firstIndex(of: Byte.lineFeed),
      let line = try? HeaderLine(span, rest.lowerBound..<lineFeed - 1)
    {
      if span.matches(name, line.name) { return String(decoding: bytes[line.value], as: UTF8.self) }
      rest = lineFeed + 1..<rest.upperBound
    }
    return nil
  }

  /// Converts a range that is counted from the request's first byte to a range in `bytes`.
  func place(_ range: Range<Int>) -> Range<Int> { range.lowerBound + start..<range.upperBound + start }

  var hasBody: Bool { !chunks.isEmpty || !content.isEmpty }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[place(range)], as: UTF8.self) }
}

/// `name=value` pairs of a request in their order; names may repeat.
public struct Query: Sendable {
  public let items: [(name: String, value: String)]

  /// Decodes percent-encoding and `+`. Keeps a malformed encoding, since a service ignores what it does not recognize.
  public init(_ bytes: ArraySlice<UInt8>) {
    var items: [(name: String, value: String)] = []
    items.reserveCapacity(4)
    var rest = bytes
    while !rest.isEmpty {
      let pair = rest[..<(rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex)]
      rest = rest[pair.endIndex...].dropFirst()
      guard !pair.isEmpty else { continue }
      let name = pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)]
      let value = pair[name.endIndex...].dropFirst()
      items.append((Query.decode(name), Query.decode(value)))
    }
    self.items = items
  }

  public subscript(_ name: String) -> String? { items.first { $0.name == name }?.value }

  /// Returns every value of a name: `team_ids[]=1&team_ids[]=2`.
  public func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? Byte.space : $0 }
    let text = String(decoding: spaced, as: UTF8.self)
    return PercentEncoding.decode(text) ?? text
  }
}
