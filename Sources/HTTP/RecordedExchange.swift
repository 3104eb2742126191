import System

/// A request and what came of it, as a recording keeps them: a file that a person can read and edit, and git can
/// compare.
///
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
/// The answer's body is everything behind the first empty line after its head, but for the last line's end: an
/// editor that adds one changes nothing. Where there is no such line, there is no body. Bodies that are no text stand in
/// base64, and the word `base64` behind the target or the status says so. Instead of a status, `< failed KIND` begins a
/// failure. Secrets in headers and addresses are masked, and what is compared when the recording is played is masked
/// as well; bodies stand as they are.
struct RecordedExchange: Equatable {
  /// What a request is known by when the recording is played: everything but its host and headers, so that a
  /// recording of a live service answers for any address.
  struct Question: Hashable {
    var method: Method
    /// Path and query.
    var target: String
    var body: [UInt8]
  }

  var question: Question
  var headers: Headers
  var outcome: Result<Response, Failure>

  init(_ question: Question, _ headers: Headers, _ outcome: Result<Response, Failure>) {
    self.question = question
    self.headers = headers
    self.outcome = outcome
  }

  init(_ request: Request, _ outcome: Result<Response, Failure>) {
    question = Question(request)
    headers = ["Host": request.url.authority]
    for field in request.headers.fields { headers.append(field.name, Secrets.shown(field)) }
    self.outcome = outcome.map { response in
      var masked = Response(response.status, body: response.body)
      for field in response.headers.fields { masked.headers.append(field.name, Secrets.shown(field)) }
      return masked
    }
  }
}

extension RecordedExchange.Question {
  init(_ request: Request) {
    var url = request.url
    url.query = Secrets.shown(query: url.query)
    self.init(method: request.method, target: url.target, body: request.body)
  }
}

// MARK: Writing

extension RecordedExchange {
  var text: String {
    let body = RecordedBody(question.body)
    var lines = ["\(question.method.rawValue) \(question.target)\(body.mark)"] + written(headers)
    if let text = body.text { lines += [""] + split(text) }
    return lines.map { $0.isEmpty ? ">\n" : "> \($0)\n" }.joined() + "\n" + answer
  }

  private var answer: String {
    switch outcome {
    case .success(let response):
      let body = RecordedBody(response.body)
      return head(["\(response.status)\(body.mark)"] + written(response.headers))
        + (body.text.map { "\n\($0)\n" } ?? "")
    case .failure(let failure):
      var facts = ["failed \(failure.kind.rawValue)", "Message: \(oneLine(failure.message))"]
      if let hint = failure.hint { facts.append("Hint: \(oneLine(hint))") }
      if failure.retryable { facts.append("Retryable: yes") }
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
    case .list(let items): ["List: \(detail.name)"] + items.map { "Item: \(oneLine($0))" }
    }
  }

  private func split(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { String($0) ?? "" }
  }

  private func oneLine(_ text: String) -> String {
    var text = text
    text.unicodeScalars.removeAll { $0.properties.generalCategory == .control }
    return text
  }
}

/// A body in a file of text.
private struct RecordedBody {
  /// Nil when there is no body.
  let text: String?
  let mark: String

  init(_ bytes: [UInt8]) {
    // Tab, line feed and carriage return are text; git takes a file with other control bytes for binary.
    let isText = !bytes.contains { $0 < 0x20 && ![9, 10, 13].contains($0) || $0 == 0x7f }
    if let text = isText ? String(validating: bytes, as: UTF8.self) : nil {
      self.text = bytes.isEmpty ? nil : text
      mark = ""
    } else {
      let letters = Array(Base64.encode(bytes).utf8)
      text = stride(from: 0, to: letters.count, by: 76).map { start in
        String(decoding: letters[start..<min(start + 76, letters.count)], as: UTF8.self)
      }.joined(separator: "\n")
      mark = " base64"
    }
  }
}
