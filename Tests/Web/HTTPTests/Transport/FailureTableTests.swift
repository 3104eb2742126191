import System
import TestSupport
import Testing

@testable import HTTP

/// Every failure of a request, word for word: of each status, and of each error of a connection.
@Suite struct RecordedFailures {
  private static let requests: [Request] = {
    guard let url = try? URL("https://service.test/x?y=1&token=secret"),
      let local = try? URL("http://127.0.0.1:7400/x"),
      let socket = try? URL("unix:/run/s.sock:/x"), let long = try? URL("http://[2001:db8::1]/x")
    else { return [] }
    var keyed = Request(.post, url)
    keyed.headers["Idempotency-Key"] = "k"
    return [
      Request(.get, url), Request(.post, url), keyed, Request(.get, local), Request(.get, socket),
      Request(.delete, long),
    ]
  }()

  @Test func failuresOfStatusesAreAsRecorded() throws {
    var text = ""
    var last = ""
    for status in 300...599 {
      let described = RecordedFailures.requests.prefix(3).map { request in
        ReceivedResponse(Response(status)).failure(for: request).described.replacing(
          "returned \(status)", with: "returned N")
      }.joined(separator: "\n  ")
      // Neighbors that differ in nothing but the number are one entry.
      if described != last { text += "\(status)\n  \(described)\n" }
      last = described
    }
    for status in [408, 429, 500, 503, 404] {
      for wait in ["7", "0", "90000", "Fri, 31 Dec 1999 23:59:59 GMT", "x"] {
        let response = ReceivedResponse(Response(status, headers: ["Retry-After": wait]))
        text +=
          "\(status), Retry-After: \(wait)\n  \(response.failure(for: Self.requests[0]).described)\n"
      }
    }
    // A setting takes a day at most, and a deadline has to leave a minute more.
    for (seconds, bound) in [
      (7, .setting), (120, .deadline), (86_340, .deadline), (86_341, .deadline), (86_400, .setting),
      (86_401, .setting),
    ] as [(Int64, ReceivedResponse.Bound)] {
      var response = ReceivedResponse(Response(503, headers: ["Retry-After": "\(seconds)"]))
      response.refusedWait = .init(length: .seconds(seconds), bound: bound)
      text += "503, a wait of \(seconds) s, too long for the \(bound)\n"
      text += "  \(response.failure(for: Self.requests[0]).described)\n"
    }
    for (body, type) in [
      (#"{"error":"no such bee"}"#, "application/json"), (#"{"message":"no bee"}"#, "application/json"),
      ("no such bee\n\tat all", "text/plain"),
      ("<html><title>Not  here</title>", "text/html"), ("<html>", "text/html"), ("", "text/plain"),
      (String(repeating: "é", count: 300), "text/plain"), ("a\u{1B}[31mb\u{0}c", "text/plain"),
    ] {
      let response = ReceivedResponse(Response(404, headers: ["Content-Type": type], body: Array(body.utf8)))
      text +=
        "\(body.prefix(20).debugDescription)\n  \(response.failure(for: Self.requests[0]).described)\n"
    }
    try RecordedText.hold("statuses.txt", to: text)
  }

  @Test func failuresOfConnectionsAreAsRecorded() throws {
    let errors: [ConnectionError] = [
      .unknownHost, .refused, .connectTimedOut(.seconds(3)), .connectTimedOut(.milliseconds(1500)),
      .notConnected("no route to host"), .untrusted("it has expired"), .handshakeFailed("no shared cipher"),
      .notTLS, .proxyFailed("403"), .timedOut(.seconds(30)), .closed, .cutShort(status: nil),
      .cutShort(status: 206), .tooLarge(limit: 64 << 20), .tooLarge(limit: 16 << 10), .tooLarge(limit: 20),
      .tooLarge(limit: 1025), .tooLarge(limit: 1), .tooLarge(limit: 1023), .tooLarge(limit: 1024),
      .tooLarge(limit: 3 << 19), .malformed("is not HTTP"), .interrupted,
    ]
    var text = ""
    for error in errors {
      text += "\(error)\n"
      for request in RecordedFailures.requests {
        text += "  \(request.summary): \(error.failure(of: request).described)\n"
      }
    }
    try RecordedText.hold("connections.txt", to: text)
  }
}
