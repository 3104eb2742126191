import System

/// A request and its outcome, in a text file that people can read and edit, and git can compare.
///
///     # hw recording 2
///     # at 2026-11-22 19:04:09+01:00
///     > PUT /bikes/3/rented?dry=1
///     > Host: localhost:3000
///     > Content-Type: application/json
///     >
///     > {"minutes": 30}
///
///     < 200
///     < Content-Type: application/json
///
///     {"rented": true}
///
/// The first line has the version, the second the time of the recorded command, which is the time of a replay. Instead
/// of a status, `< failed KIND` begins a failure.
///
/// The body of the response is everything after the first empty line after its head, without the last line end: an
/// editor that adds one changes nothing. Without such a line there is no body. Invalid UTF-8 in a body is replaced.
///
/// Secrets in headers and addresses are masked, also for the comparison in a replay. A secret that was sent is masked
/// wherever the response repeats it.
struct RecordedExchange: Equatable {
  /// Identifies a request in a replay by everything except its headers and the address of the service, so that a
  /// recording of a live service can be replayed for any address.
  struct Key: Hashable {
    var method: Method
    /// Path and query relative to the address of the service.
    var target: String
    var body: [UInt8]
  }

  var key: Key
  var headers: Headers
  var outcome: Result<Response, Failure>
  var time: RecordedTime?
}

extension RecordedExchange {
  /// Masks the values of secret names, and everywhere `secrets` and the secrets of the request.
  init(
    _ request: Request, _ outcome: Result<Response, Failure>, below base: URL, hiding secrets: SentSecrets,
    at time: RecordedTime?
  ) {
    var secrets = secrets
    secrets.add(request)
    func masked(_ fields: Headers, after headers: Headers = [:]) -> Headers {
      var headers = headers
      for field in fields.fields { headers.append(field.name, secrets.masked(Secrets.shown(field))) }
      return headers
    }
    key = Key(request, below: base)
    key.target = secrets.masked(key.target)
    key.body = secrets.masked(key.body)
    headers = masked(request.headers, after: ["Host": request.url.authority])
    self.outcome = outcome.map { response in
      Response(response.status, headers: masked(response.headers), body: secrets.masked(response.body))
    }.mapError { secrets.masked($0) }
    self.time = time
  }
}

extension RecordedExchange.Key {
  init(_ request: Request, below base: URL) {
    let secrets = SentSecrets(request)
    var url = request.url
    url.query = Secrets.shown(query: url.query)
    let path = base.path
    if path != "/", url.path == path || url.path.hasPrefix(path + "/") { url.path.removeFirst(path.count) }
    self.init(method: request.method, target: secrets.masked(url.target), body: secrets.masked(request.body))
  }
}

extension RecordedExchange {
  var text: String {
    var lines = ["\(key.method.rawValue) \(key.target)"] + written(headers)
    if !key.body.isEmpty { lines += [""] + String(decoding: key.body, as: UTF8.self).lines }
    let request = lines.map { $0.isEmpty ? ">\n" : "> \($0)\n" }.joined()
    let time = time.map { "\(RecordedExchange.timePrefix)\($0.text)\n" } ?? ""
    return "\(Recording.format.header)\n\(time)\(request)\n\(responseText)"
  }

  static let timePrefix = "# at "

  private var responseText: String {
    switch outcome {
    case .success(let response):
      return head(["\(response.status)"] + written(response.headers))
        + (response.body.isEmpty ? "" : "\n\(String(decoding: response.body, as: UTF8.self))\n")
    case .failure(let failure):
      var facts = ["failed \(failure.kind.rawValue)", "Message: \(oneLine(failure.message))"]
      if let hint = failure.hint { facts.append("Hint: \(oneLine(hint))") }
      if failure.retryable { facts.append("Retryable: yes") }
      if failure.outcomeUnknown { facts.append("Outcome: unknown") }
      return head(facts + failure.details.flatMap(written))
    }
  }

  private func head(_ lines: [String]) -> String { lines.map { "< \($0)\n" }.joined() }

  private func written(_ headers: Headers) -> [String] {
    headers.fields.map { "\($0.name): \(oneLine($0.value))" }
  }

  private func written(_ detail: Failure.Detail) -> [String] {
    switch detail.value {
    case .integer(let number): ["Integer: \(detail.name) \(number)"]
    case .text(let text): ["Text: \(detail.name) \(oneLine(text))"]
    // No failure of a transport has a list.
    case .list: []
    }
  }

  private func oneLine(_ text: String) -> String {
    var text = text
    text.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
    return text
  }
}

extension String {
  fileprivate var lines: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String(Substring($0)) }
  }
}

struct RecordingReader {
  struct SyntaxError: Error, Equatable {
    /// Counted from 1.
    var line: Int
    var reason: String
  }

  private let lines: [String]
  private var position = 0

  static func read(_ bytes: [UInt8]) throws(SyntaxError) -> RecordedExchange {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SyntaxError(line: 1, reason: "is not UTF-8")
    }
    var reader = RecordingReader(lines: text.lines)
    return try reader.exchange()
  }

  private mutating func exchange() throws(SyntaxError) -> RecordedExchange {
    var time: RecordedTime?
    while position < lines.count, lines[position].hasPrefix("#") {
      let line = lines[position]
      position += 1
      guard line.hasPrefix(RecordedExchange.timePrefix) else { continue }
      time = RecordedTime(line.dropFirst(RecordedExchange.timePrefix.count))
      guard time != nil else { throw syntaxError("has no time like 2026-11-22 19:04:09+01:00") }
    }
    let first = try words(next(">"), "names no method and path")
    guard let name = first.first, let method = Method(rawValue: name), first.count == 2 else {
      throw syntaxError("names no method and path")
    }
    let headers = try fields(">")
    var body: [String] = []
    while let line = next(">") { body.append(line) }
    let key = RecordedExchange.Key(method: method, target: first[1], body: bytes(body))
    while position < lines.count, lines[position].isEmpty { position += 1 }
    let facts = try words(next("<"), "has no status")
    let outcome: Result<Response, Failure> =
      facts.first == "failed" ? .failure(try failure(facts)) : .success(try response(facts))
    return RecordedExchange(key: key, headers: headers, outcome: outcome, time: time)
  }

  private mutating func response(_ facts: [String]) throws(SyntaxError) -> Response {
    guard facts.count == 1, let status = Int(facts[0]), (100...999).contains(status) else {
      throw syntaxError("has no status")
    }
    let headers = try fields("<")
    guard position < lines.count else { return Response(status, headers: headers) }
    guard lines[position].isEmpty else {
      position += 1
      throw syntaxError("neither goes on with '<' nor is empty")
    }
    var rest = lines[(position + 1)...]
    if rest.last?.isEmpty == true { rest.removeLast() }
    return Response(status, headers: headers, body: bytes(rest))
  }

  private func bytes(_ lines: some Sequence<String>) -> [UInt8] { Array(lines.joined(separator: "\n").utf8) }

  private mutating func failure(_ facts: [String]) throws(SyntaxError) -> Failure {
    guard facts.count == 2, let kind = Failure.Kind(rawValue: facts[1]) else {
      throw syntaxError("names no kind of failure")
    }
    var failure = Failure(kind, "")
    for field in try fields("<").fields {
      let sides = field.value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let (name, value) = (sides[0], sides.count > 1 ? sides[1] : "")
      switch field.name {
      case "Message": failure.message = field.value
      case "Hint": failure.hint = field.value
      case "Retryable": failure.retryable = field.value == "yes"
      case "Outcome": failure.outcomeUnknown = field.value == "unknown"
      case "Integer":
        guard let number = Int(value) else { throw syntaxError("holds no number in '\(name)'") }
        failure.details.append(.init(name, .integer(number)))
      case "Text": failure.details.append(.init(name, .text(value)))
      default: throw syntaxError("holds '\(field.name)', which no failure has")
      }
    }
    return failure
  }

  /// Reads header fields up to the end of the block, or up to its empty line, which it consumes.
  private mutating func fields(_ sign: Character) throws(SyntaxError) -> Headers {
    var headers: Headers = [:]
    while let line = next(sign), !line.isEmpty {
      guard let (name, value) = line.splitField else { throw syntaxError("holds a header without a colon") }
      headers.append(name, value)
    }
    return headers
  }

  /// Consumes the next line and returns it without its sign; nil if it has another sign.
  private mutating func next(_ sign: Character) -> String? {
    guard position < lines.count else { return nil }
    // In bytes, since a character that combines with the sign or the space belongs to the text.
    var line = lines[position].utf8[...]
    guard line.popFirst() == sign.asciiValue else { return nil }
    position += 1
    if line.first == UInt8(ascii: " ") { line.removeFirst() }
    return String(line)
  }

  private func words(_ line: String?, _ reason: String) throws(SyntaxError) -> [String] {
    // After the last line end there is no line.
    let last = max(1, lines.last?.isEmpty == true ? lines.count - 1 : lines.count)
    guard let line else { throw SyntaxError(line: min(position + 1, last), reason: reason) }
    return line.split(separator: " ").map(String.init)
  }

  /// Refers to the line that was read last.
  private func syntaxError(_ reason: String) -> SyntaxError { SyntaxError(line: position, reason: reason) }
}
