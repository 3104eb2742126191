@testable import Server

/// What the parser makes of bytes in pieces that end at `cuts`, as the server reads them.
struct ParsedRequest {
  private(set) var request: ReceivedRequest?
  /// The status of a refusal.
  private(set) var refusal: Int?
  /// Method, target, body, and how many bytes are the next request's; or why there is no request.
  let outcome: String

  init(_ bytes: [UInt8], cuts: [Int] = []) {
    var parser = RequestParser(RequestLimits())
    var buffer: [UInt8] = []
    var fed = 0
    do throws(RequestError) {
      for end in cuts + [bytes.count] {
        buffer += bytes[fed..<end]
        fed = end
        if try parser.advance(buffer.span) {
          let request = ReceivedRequest(buffer, from: 0, parser)
          let body = String(decoding: request.body, as: UTF8.self)
          let left = buffer.count - parser.position + bytes.count - fed
          outcome = "\(request.method.rawValue) \(request.target) body '\(body)' left \(left)"
          self.request = request
          return
        }
        parser.discardChunks(from: &buffer)
      }
      outcome = "incomplete"
    } catch {
      outcome = "refused \(error.status)"
      refusal = error.status
    }
  }
}
