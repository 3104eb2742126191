import TestSupport

@testable import Command
@testable import Server
@testable import hw

extension Driver {
  /// Requests as bytes: the parser in pieces agrees with itself, and what it accepts every backend answers.
  static let requests = Driver(name: "requests", round: 500) { _ in
    let time = FakeClock()
    let backends = try Program.hw.servedSuites.map { try $0.backend(.demo(time: time)) }
    let router = Router(backends)
    // One for every route, beside those with values that the routes look at.
    let routes = backends.flatMap(\.routes).map { route in
      let path = route.pattern.split(separator: "/").map { $0.hasPrefix(":") ? "1" : $0 }.joined(
        separator: "/")
      let head = "\(route.method.rawValue) /\(path) HTTP/1.1\r\nHost: localhost\r\nX-Authorization: demo\r\n"
      return Array("\(head)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".utf8)
    }
    let corpus = RequestSamples.texts + routes
    let mutator = Mutator(corpus, tokens: RequestSamples.tokens)
    return Attack(make: { mutator.make(&$0) }) { input in
      let whole = ParsedRequest(input, cuts: [])
      var random = SeededGenerator(of: input)
      let cuts = (0..<4).map { _ in random.below(input.count + 1) }.sorted()
      let pieces = ParsedRequest(input, cuts: cuts)
      if pieces.outcome != whole.outcome {
        return "\(whole.outcome) but \(pieces.outcome) in pieces at \(cuts)"
      }
      guard let request = whole.request else { return nil }
      let outcome = router.runner.outcome(of: router.route(request))
      let (response, failure) = (outcome.response, outcome.failure)
      if !(200...599).contains(response.status) || failure?.kind == .defect || failure?.kind == .storage {
        return "the backend answers \(response.status): \(String(decoding: response.body, as: UTF8.self))"
      }
      let type = response.headers["Content-Type"] ?? ""
      // The service that CAPTCHAs come from protects its JSON from being run.
      let isGuarded = response.body.starts(with: Array(")]}'".utf8))
      if type.hasPrefix("application/json"), !response.body.isEmpty, !isGuarded,
        NaiveJSON(response.body) == nil
      {
        return "the body is not JSON: \(String(decoding: response.body.prefix(300), as: UTF8.self))"
      }
      for field in response.headers.fields where field.value.utf8.contains(where: { $0 < 0x20 && $0 != 9 }) {
        return "a header with a control character: \(field)"
      }
      return nil
    }
  }
}

private struct ParsedRequest {
  var outcome: String
  var request: ReceivedRequest?

  init(_ bytes: [UInt8], cuts: [Int]) {
    var parser = RequestParser(RequestLimits())
    var buffer: [UInt8] = []
    var fed = 0
    do throws(RequestError) {
      for end in cuts + [bytes.count] {
        buffer += bytes[fed..<end]
        fed = end
        if try parser.advance(buffer.span) {
          let request = ReceivedRequest(buffer, from: 0, parser)
          let left = buffer.count - parser.position + bytes.count - fed
          outcome = "\(request.method.rawValue) \(request.target), body \(request.body), \(left) left"
          self.request = request
          return
        }
        parser.discardChunks(from: &buffer)
      }
      outcome = "incomplete"
    } catch {
      outcome = "refused with \(error.status)"
    }
  }
}

enum RequestSamples {
  static let texts: [[UInt8]] =
    lines.map { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      let body = parts.count > 2 ? parts[2] : ""
      var head = "\(parts[0]) \(parts[1]) HTTP/1.1\r\nHost: localhost:3000\r\nAccept: application/json\r\n"
      head += "X-Authorization: demo\r\nAuthorization: demo\r\nIdempotency-Key: a\r\n"
      if !body.isEmpty { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
      return Array("\(head)\r\n\(body)".utf8)
    }
    + [
      "POST /bikes HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\n{\"a\r\n10\r\n\":\"23456789abcde\r\n0\r\nX: y\r\n\r\n",
      "GET http://a/bikes/%41?b=%zz&c=+ HTTP/1.1\r\nHost: [::1]:1\r\nConnection: close, x\r\nExpect: 100-continue\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "HEAD / HTTP/1.0\r\n\r\n",
    ].map { Array($0.utf8) }

  private static let lines = [
    "GET /bikes", "GET /bikes/1", "GET /bikes?latitude=50.12&longitude=8.64&radius=500",
    "GET /bikes?near=50.1,8.6", "PUT /bikes/1/rented", "DELETE /bikes/1/rented",
    "PUT /bikes/1/location {\"latitude\":50.1,\"longitude\":8.6}",
    "POST /bikes {\"name\":\"A\",\"color\":\"red\",\"pin\":\"1234\",\"location\":{\"latitude\":50.1,\"longitude\":8.6}}",
    "PATCH /bikes/1 {\"name\":\"B\"}", "DELETE /bikes/1", "POST /bikes [{\"name\":\"a\"}]", "GET /rentals",
    "GET /v1/teams", "GET /v1/games?team_ids[]=14&seasons[]=2024&per_page=25&cursor=10",
    "GET /v1/players?search=a", "GET /v1/standings?season=2024", "GET /v1/games/1", "GET /teams",
    "GET /games?dates[]=2025-01-15", "GET /players/1", "GET /scores", "GET /scores?limit=10&offset=0",
    "POST /scores {\"word\":\"crane\",\"guesses\":[\"slate\"]}", "PUT /scores/1 {\"tiles\":[[0,1,2,0,1]]}",
    "DELETE /scores/1", "GET /statistics", "GET /stats", "GET /api/v1/lightning/nodes/rankings/connectivity",
    "GET /api/v1/lightning/nodes/rankings/age", "GET /api/v1/lightning/nodes/02abc",
    "GET /api/v1/lightning/search?searchText=a", "GET /race", "POST /race {}", "GET /race/status",
    "GET /race/bees", "POST /race/start", "GET /captcha/1", "POST /captcha/1 a=b", "GET /health", "GET /",
    "GET /bees", "GET /status", "GET /api/race", "GET /feed", "GET /feed/1.geojson", "GET /events?since=1",
  ]

  static let tokens = [
    "\r\n", "\r\n\r\n", "Content-Length: 0\r\n", "Content-Length: 99999999999999999999\r\n",
    "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n", "Host: a\r\n", "Connection: close\r\n",
    "Expect: 100-continue\r\n", " HTTP/1.1", "HTTP/2", "GET ", "POST ", "PUT ", "DELETE ", "PATCH ", "HEAD ",
    "OPTIONS ", "%2f", "%00", "%", "?", "&", "+", "//", "/./", "/../", "0\r\n\r\n", "ffffffffffffffff\r\n",
    "X-Authorization: ", "Range: bytes=0-1\r\n", "If-None-Match: *\r\n", "9223372036854775807", "[]",
    "&limit=", "&offset=", "cursor=", "per_page=", "page=",
  ]
}
