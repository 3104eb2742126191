import Foundation
import TestSupport

@testable import HTTP

extension Driver {
  /// Responses as bytes: the reader in pieces agrees with itself.
  static let responses = Driver(name: "responses", round: 1000) { _ in
    let mutator = Mutator(ResponseSamples.texts, tokens: ResponseSamples.tokens)
    return Attack(make: { mutator.make(&$0) }) { input in
      var random = SeededGenerator(of: input)
      let method: HTTP.Method = random.chance(8) ? .head : .get
      let whole = ReadResponse(input, cuts: [], method)
      let cuts = (0..<5).map { _ in random.below(input.count + 1) }.sorted()
      let pieces = ReadResponse(input, cuts: cuts, method)
      return pieces.outcome == whole.outcome
        ? nil : "\(whole.outcome), but \(pieces.outcome) in pieces at \(cuts)"
    }
  }
}

private struct ReadResponse {
  var outcome: String

  init(_ bytes: [UInt8], cuts: [Int], _ method: HTTP.Method) {
    var reader = ResponseReader(for: method, limit: 1 << 20)
    var fed = 0
    do throws(MessageError) {
      for end in cuts + [bytes.count] {
        // What follows a whole response belongs to nothing.
        if reader.response != nil { break }
        try reader.read(Array(bytes[fed..<end]).span)
        fed = end
      }
      if reader.response == nil { try reader.end() }
      guard let response = reader.response else {
        outcome = "no response"
        return
      }
      outcome = "\(response.status) \(response.headers.fields) \(response.body)"
    } catch {
      outcome = "\(error)"
    }
  }
}

enum ResponseSamples {
  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  static let texts = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.0 200 OK\r\n\r\nhello", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello",
    chunked + "2;x=y\r\nhe\r\n03\r\nllo\r\n0\r\nT: 1\r\n\r\n", chunked + "5\r\nhello\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
    "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: 13\r\nConnection: close\r\n\r\n{\"error\":\"x\"}",
    "HTTP/1.1 301 Moved\r\nLocation: /y\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\nX: y\r\nKeep-Alive: timeout=5\r\n\r\nhello",
  ].map { Array($0.utf8) }

  static let tokens = [
    "\r\n", "\r\n\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.0 ", "HTTP/2 200\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    "204", "304", "101", "Content-Length: 0\r\n", "Content-Length: 99999999999999999999\r\n",
    "Content-Length: -1\r\n", "Content-Length: 5, 5\r\n", "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip, chunked\r\n", "Transfer-Encoding: identity\r\n", "Content-Encoding: gzip\r\n",
    "Content-Encoding: identity\r\n", "Connection: close\r\n", "Connection: keep-alive\r\n", "0\r\n\r\n",
    "ffffffffffffffff\r\n", "5\r\n", ";ext=\"a\"", "Trailer: X\r\n", "\r", "\n", " ", "\t", ":", "\0",
  ]
}
