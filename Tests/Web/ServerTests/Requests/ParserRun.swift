import Testing

@testable import Server

/// A row of a table of promises, shown by its reason when it fails.
struct Case<Expected: Sendable>: Sendable, CustomTestStringConvertible {
  let why: String
  let bytes: String
  let expected: Expected

  init(_ why: String, _ bytes: String, _ expected: Expected) {
    self.why = why
    self.bytes = bytes
    self.expected = expected
  }

  var testDescription: String { why }
}

/// What the parser made of some bytes.
enum Outcome: Equatable, CustomStringConvertible {
  /// Method, target, body, and how many bytes were the next request's.
  case whole(String, String, body: String, left: Int)
  case incomplete
  case refused(Int)

  var description: String {
    switch self {
    case .whole(let method, let target, let body, let left): "\(method) \(target) body '\(body)' left \(left)"
    case .incomplete: "incomplete"
    case .refused(let status): "refused \(status)"
    }
  }

  /// Feeds the bytes in portions that end at `cuts`, the way the server does.
  init(_ bytes: [UInt8], cuts: [Int] = [], limits: RequestLimits = RequestLimits()) {
    var parser = RequestParser(limits)
    var buffer: [UInt8] = []
    var fed = 0
    do throws(RequestError) {
      for end in cuts + [bytes.count] {
        buffer += bytes[fed..<end]
        fed = end
        let isWhole = try parser.advance(buffer.span)
        if isWhole {
          let request = ReceivedRequest(buffer, from: 0, parser)
          let left = buffer.count - parser.position + bytes.count - fed
          self = .whole(
            request.method.rawValue, request.target, body: String(decoding: request.body, as: UTF8.self),
            left: left)
          return
        }
        parser.discardChunks(from: &buffer)
      }
      self = .incomplete
    } catch {
      self = .refused(error.status)
    }
  }
}
