import System

extension Response {
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The body as text; what is not UTF-8 is replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The type that the service claims, in lower case and without parameters: `application/json`.
  public var mediaType: String? {
    headers["Content-Type"].map { value in
      let type = value.prefix { $0 != ";" }
      return String(type.drop { $0 == " " }.prefix { $0 != " " }).lowercased()
    }
  }

  /// The bytes of an answer that has to be JSON. What is plainly something else, a proxy's page or nothing at all, is
  /// told apart here, so that the failure says what came and not at which byte a parser gave up. The claimed type is
  /// not asked: services send JSON as anything.
  public func json(answering request: Request) throws(Failure) -> [UInt8] {
    if !isSuccess { throw failure(answering: request) }
    let reason: String
    if isBlank {
      reason = "nothing (status \(status))"
    } else if isMarkup {
      reason = title.map { "HTML: \($0)" } ?? "HTML"
    } else {
      return body
    }
    throw Failure(
      .invalidData, "'\(request.summary)': expected JSON, got \(reason)",
      hint: "check that the address is that of the service")
  }

  private var isBlank: Bool { firstByte == nil }

  /// No JSON begins with it.
  var isMarkup: Bool { firstByte == UInt8(ascii: "<") }

  private var firstByte: UInt8? {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return (body.starts(with: mark) ? body.dropFirst(mark.count) : body[...]).first { $0 > 0x20 }
  }

  /// What an HTML page calls itself.
  var title: String? {
    let text = String(decoding: body.prefix(16 << 10), as: UTF8.self)
    let parts = text.split(separator: "<", omittingEmptySubsequences: false)
    guard let part = parts.first(where: { $0.prefix(5).lowercased() == "title" }),
      let end = part.firstIndex(of: ">")
    else { return nil }
    let title = part[part.index(after: end)...].inOneLine
    return title.isEmpty ? nil : title
  }

  /// What the service says in words, short enough to be quoted: an error's text or JSON, a page's title.
  var excerpt: String? {
    if isMarkup { return title }
    let text = String(decoding: body.prefix(1 << 10), as: UTF8.self).inOneLine
    return text.isEmpty ? nil : text
  }
}

extension Request {
  /// Method and address, the query left off: how a failure names the request.
  var summary: String {
    var url = url
    url.query = ""
    return "\(method.rawValue) \(url)"
  }
}

extension StringProtocol {
  /// Blanks run together, control characters gone, at most 200 characters: fit for a message.
  fileprivate var inOneLine: String {
    let words = unicodeScalars.split {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
    let line = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}
