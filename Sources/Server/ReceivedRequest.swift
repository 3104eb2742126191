import HTTP
import System

/// A whole request, as it stands in the bytes that arrived: what nobody asks for is never made into a String.
public struct ReceivedRequest: Sendable {
  /// The request's bytes from `start` on, perhaps among those of others.
  let bytes: [UInt8]
  let start: Int
  let head: RequestHead
  private let content: Range<Int>
  private let chunks: [UInt8]

  init(_ bytes: [UInt8], from start: Int, _ parser: borrowing RequestParser) {
    self.bytes = bytes
    self.start = start
    head = parser.head
    content = parser.body
    chunks = parser.chunks
  }

  /// The same request as a transport in the process hands it over: it goes through the same parser, so that a demo
  /// refuses what the server would.
  public init(_ request: Request, limits: RequestLimits = RequestLimits()) throws(Refusal) {
    var bytes = Array("\(request.method.rawValue) \(request.url.path.isEmpty ? "/" : request.url.path)".utf8)
    if !request.url.query.isEmpty { bytes += "?\(request.url.query)".utf8 }
    bytes += " HTTP/1.1\r\n".utf8
    let framing = ["host", "content-length", "transfer-encoding", "connection", "expect"]
    for field in request.headers.fields where !framing.contains(field.name.lowercased()) {
      bytes += "\(field.name): \(field.value)\r\n".utf8
    }
    bytes += "Host: localhost\r\nContent-Length: \(request.body.count)\r\n\r\n".utf8
    bytes += request.body
    var parser = RequestParser(limits)
    guard try parser.advance(bytes.span), parser.position == bytes.count else { throw .requestLine }
    self.init(bytes, from: 0, parser)
  }

  public var method: Method { head.method }

  /// As it was sent, percent-encoded.
  public var path: String {
    head.isAsterisk ? "*" : head.path.isEmpty ? "/" : text(head.path)
  }

  /// Path and query, as a log shows them.
  public var target: String {
    head.query.isEmpty ? path : "\(path)?\(text(head.query))"
  }

  public var query: Query { Query(bytes[place(head.query)]) }

  /// The content, whatever its framing was.
  public var body: [UInt8] { chunks.isEmpty ? Array(bytes[place(content)]) : chunks }

  /// The first value of the header of that name, in any case of letters.
  public func header(_ name: StaticString) -> String? {
    let span = bytes.span
    for line in HeaderLines(bytes: bytes, rest: place(head.fields)) {
      if span.matches(name, line.name) { return String(decoding: bytes[line.value], as: UTF8.self) }
    }
    return nil
  }

  /// In the form that the client's side speaks.
  public var request: Request {
    let url = URL(scheme: .http, host: "localhost", path: path, query: text(head.query))
    var headers: Headers = [:]
    for line in HeaderLines(bytes: bytes, rest: place(head.fields)) {
      headers.append(
        String(decoding: bytes[line.name], as: UTF8.self), String(decoding: bytes[line.value], as: UTF8.self))
    }
    return Request(method, url, headers: headers, body: body)
  }

  /// A place of the request as a place in `bytes`.
  func place(_ range: Range<Int>) -> Range<Int> {
    range.lowerBound + start..<range.upperBound + start
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[place(range)], as: UTF8.self)
  }
}

/// Walks over header lines that the parser has found sound.
private struct HeaderLines: Sequence, IteratorProtocol {
  let bytes: [UInt8]
  var rest: Range<Int>

  mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
    guard let lineFeed = bytes[rest].firstIndex(of: Byte.lineFeed),
      let line = try? HeaderFields.split(bytes.span, rest.lowerBound..<lineFeed - 1)
    else { return nil }
    rest = lineFeed + 1..<rest.upperBound
    return line
  }
}

/// The query of a request: `name=value` pairs in the order they came, names repeated or not.
public struct Query: Sendable {
  public let items: [Item]

  public struct Item: Equatable, Sendable {
    public let name: String
    public let value: String
  }

  /// Percent-encoding and `+` are decoded; bytes that are no encoding of anything stand for themselves, since a
  /// service ignores what it does not understand.
  public init(_ bytes: ArraySlice<UInt8>) {
    var items: [Item] = []
    items.reserveCapacity(4)
    var rest = bytes
    while !rest.isEmpty {
      let pair = rest[..<(rest.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex)]
      rest = rest[pair.endIndex...].dropFirst()
      guard !pair.isEmpty else { continue }
      let name = pair[..<(pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex)]
      let value = pair[name.endIndex...].dropFirst()
      items.append(Item(name: Query.decode(name), value: Query.decode(value)))
    }
    self.items = items
  }

  /// The first value of that name.
  public subscript(_ name: String) -> String? {
    items.first { $0.name == name }?.value
  }

  /// Every value of that name: `team_ids[]=1&team_ids[]=2`.
  public func all(_ name: String) -> [String] {
    items.filter { $0.name == name }.map(\.value)
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    // Mostly nothing is encoded.
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: bytes, as: UTF8.self)
    }
    let spaced = bytes.map { $0 == UInt8(ascii: "+") ? Byte.space : $0 }
    let text = String(decoding: spaced, as: UTF8.self)
    return PercentEncoding.decode(text) ?? text
  }
}
