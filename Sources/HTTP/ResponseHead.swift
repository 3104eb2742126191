/// The status line and the fields of an answer (RFC 9112, sections 4 and 5), and what they say about its body.
struct ResponseHead: Equatable {
  var status: Int
  var headers: Headers
  /// HTTP/1.1, which keeps connections unless told otherwise.
  var isPersistent: Bool

  static let sizeLimit = 64 << 10
  static let fieldLimit = 256

  /// Reads everything up to the empty line, that line left off. A lone LF ends a line too, as RFC 9112 allows.
  init(_ bytes: ArraySlice<UInt8>) throws(MessageFault) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
    guard lines.allSatisfy({ $0.allSatisfy(\.isFieldText) }) else {
      throw .malformed("has a control character in its head")
    }
    let start = Array(lines.popFirst() ?? [])
    guard start.starts(with: "HTTP/".utf8) else { throw .malformed("is not HTTP") }
    guard start.starts(with: "HTTP/1.".utf8), start.count >= 12, start[8] == UInt8(ascii: " "),
      let status = ResponseHead.number(start[9..<12]), (100...599).contains(status),
      start.count == 12 || start[12] == UInt8(ascii: " ")
    else { throw .malformed("has a status line that is not HTTP/1.1's") }
    self.status = status
    isPersistent = start[7] != UInt8(ascii: "0")
    guard lines.count <= ResponseHead.fieldLimit else { throw .malformed("has too many header fields") }
    headers = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy(\.isToken)
      else { throw .malformed("has a header line that is not 'name: value'") }
      headers.append(
        String(decoding: line[..<colon], as: UTF8.self),
        String(decoding: line[(colon + 1)...].trimmingBlanks, as: UTF8.self))
    }
  }

  enum Body: Equatable {
    case none
    case fixed(Int)
    case chunked
    case untilClose
  }

  /// How the body is delimited (RFC 9112, section 6.3).
  func body(answering method: Method) throws(MessageFault) -> Body {
    if method == .head || status < 200 || status == 204 || status == 304 { return .none }
    // The request named none that it would take.
    if let coding = headers.list("Content-Encoding").first(where: { $0 != "identity" }) {
      throw .malformed("is in content coding '\(coding)', which was not asked for")
    }
    let codings = headers.list("Transfer-Encoding")
    if !codings.isEmpty {
      guard codings == ["chunked"] else { throw .malformed("is in a transfer coding that was not asked for") }
      return .chunked
    }
    let lengths = Set(headers.list("Content-Length"))
    guard let length = lengths.first else { return .untilClose }
    guard lengths.count == 1, let count = ResponseHead.number(Array(length.utf8)[...]) else {
      throw .malformed("has a Content-Length that is not one number")
    }
    return .fixed(count)
  }

  /// Whether the connection may carry another request, once a body with an end of its own has been read.
  var keepsConnection: Bool {
    // Both framings together: whoever wrote that is not to be trusted with where the next answer begins.
    isPersistent && !headers.list("Connection").contains("close")
      && (headers["Transfer-Encoding"] == nil || headers["Content-Length"] == nil)
  }

  /// Digits and nothing else; a number too large for an `Int` is `Int.max`, so that limits meet it.
  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(String(decoding: digits, as: UTF8.self)) ?? .max
  }
}

extension Headers {
  /// The members of a field that is a list, every line of it, in lower case.
  func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { String(decoding: Array($0.lowercased().utf8)[...].trimmingBlanks, as: UTF8.self) }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingBlanks: ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) })
    else {
      return []
    }
    return self[first...last]
  }
}
