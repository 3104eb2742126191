import System

/// Reads the file of an exchange, which a person may have edited.
struct RecordingReader {
  /// What is wrong with it, and in which line (from 1).
  struct Fault: Error, Equatable {
    var line: Int
    var reason: String
  }

  private let lines: [String]
  private var position = 0

  static func read(_ bytes: [UInt8]) throws(Fault) -> RecordedExchange {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(line: 1, reason: "is not UTF-8")
    }
    var reader = RecordingReader(lines: text)
    return try reader.exchange()
  }

  private init(lines text: String) {
    lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String($0) ?? ""
    }
  }

  private mutating func exchange() throws(Fault) -> RecordedExchange {
    let first = try words(next(">"), "names no method and path")
    guard let name = first.first, let method = Method(rawValue: name), first.count > 1 else {
      throw fault("names no method and path")
    }
    let headers = try fields(">")
    var body: [String] = []
    while let line = next(">") { body.append(line) }
    let question = RecordedExchange.Question(
      method: method, target: first[1], body: try bytes(of: body, mark: first.dropFirst(2)))
    while position < lines.count, lines[position].isEmpty { position += 1 }
    let facts = try words(next("<"), "has no status")
    let outcome: Result<Response, Failure> =
      facts.first == "failed" ? .failure(try failure(facts)) : .success(try response(facts))
    return RecordedExchange(question, headers, outcome)
  }

  private mutating func response(_ facts: [String]) throws(Fault) -> Response {
    guard let status = facts.first.flatMap({ Int($0) }), (100...999).contains(status) else {
      throw fault("has no status")
    }
    let headers = try fields("<")
    guard position < lines.count else { return Response(status, headers: headers) }
    guard lines[position].isEmpty else {
      position += 1
      throw fault("neither goes on with '<' nor is empty")
    }
    var rest = lines[(position + 1)...]
    if rest.last?.isEmpty == true { rest.removeLast() }
    return Response(status, headers: headers, body: try bytes(of: Array(rest), mark: facts.dropFirst()))
  }

  private mutating func failure(_ facts: [String]) throws(Fault) -> Failure {
    guard facts.count == 2, let kind = Failure.Kind(rawValue: facts[1]) else {
      throw fault("names no kind of failure")
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
      case "Integer":
        guard let number = Int(value) else { throw fault("holds no number in '\(name)'") }
        failure.details.append(.init(name, .integer(number)))
      case "Text": failure.details.append(.init(name, .text(value)))
      case "List": failure.details.append(.init(name, .list([])))
      case "Item":
        guard let list = failure.details.popLast(), case .list(let items) = list.value else {
          throw fault("holds an item of no list")
        }
        failure.details.append(.init(list.name, .list(items + [field.value])))
      default: throw fault("holds '\(field.name)', which no failure has")
      }
    }
    return failure
  }

  /// Header fields up to the end of the block or its empty line, which is read too.
  private mutating func fields(_ sign: Character) throws(Fault) -> Headers {
    var headers: Headers = [:]
    while let line = next(sign), !line.isEmpty {
      guard let (name, value) = line.splitField else { throw fault("holds a header without a colon") }
      headers.append(name, value)
    }
    return headers
  }

  /// The next line, without its sign, if it has that.
  private mutating func next(_ sign: Character) -> String? {
    guard position < lines.count else { return nil }
    // In bytes: a mark that combines with the sign or the space belongs to the text all the same.
    var line = lines[position].utf8[...]
    guard line.popFirst() == sign.asciiValue else { return nil }
    position += 1
    if line.first == UInt8(ascii: " ") { line.removeFirst() }
    return String(line)
  }

  private func words(_ line: String?, _ reason: String) throws(Fault) -> [String] {
    guard let line else { throw Fault(line: position + 1, reason: reason) }
    return line.split(separator: " ").map(String.init)
  }

  private func bytes(of lines: [String], mark: ArraySlice<String>) throws(Fault) -> [UInt8] {
    let text = lines.joined(separator: "\n")
    guard let mark = mark.first else { return Array(text.utf8) }
    guard mark == "base64", let bytes = Base64.decode(text) else {
      throw fault("announces a body in '\(mark)', which it is not")
    }
    return bytes
  }

  /// About the line that was read last.
  private func fault(_ reason: String) -> Fault { Fault(line: max(1, position), reason: reason) }
}
