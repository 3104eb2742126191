import HTTP
import System
import TestSupport
import Testing

@testable import Server

/// What a client gets for each request, and what the log says of it, byte by byte. Control characters are visible: `␍`
/// and `␊` end the lines of a head.
@Suite(.ownThread) struct ExchangedBytes {
  private static func get(_ target: String, _ fields: String...) -> String {
    "GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
  }

  private static func post(_ fields: String..., body: String) -> String {
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      + fields.map { "\($0)\r\n" }.joined() + "\r\n\(body)"
  }

  private static let requests = [
    get("/a"), get("/a") + get("/items/7"), get("/a", "Connection: close"), get("/items/%41%20b"),
    get("/items/%"), get("/items/%ff"), get("//a"), get("/a/"), get("/A"), get("/a?x=1&token=secret&y=%0a"),
    get("/nowhere"), get("/sample/a"), get("/a", "Host: b"), get("/a", "X-Request-Id: mine-1"),
    get("/a", "X-Request-Id: b@d id"), get("/a", "Accept: text/html"), get("/nowhere", "Accept: text/html"),
    get("/nowhere", "Accept: application/json"), get("/large/20"), get("/large/0"), get("/inject"),
    get("/throws/usage"), get("/throws/notFound"), get("/throws/conflict"), get("/throws/unauthorized"),
    get("/throws/rateLimited"), get("/throws/storage"), get("/throws/invalidData"), get("/throws/defect"),
    get("/throws/connection"), get("/status/204"), get("/status/304"), get("/status/500"), get("/healthz"),
    get("/readyz"), get("/metrics"), "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HEAD /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n", "DELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "PUT /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "OPTIONS /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "TRACE /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", "BREW /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "get /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n",
    "GET /a HTTP/1.0\r\nConnection: keep-alive\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n",
    "GET /a HTTP/2.0\r\nHost: localhost\r\n\r\n", "GET /a\r\n\r\n",
    "GET  /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET http://localhost/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET http://elsewhere/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: evil.example\r\n\r\n", "GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.1\nHost: localhost\n\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nA : b\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: localhost\r\nA: \u{0}\r\n\r\n",
    "\r\n\r\nGET /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "nonsense\r\n\r\n", "\u{16}\u{3}\u{1}",
    get("/\(String(repeating: "a", count: 9000))"), get("/a", "A: \(String(repeating: "b", count: 70_000))"),
    get("/a", "X-Forwarded-For: 192.0.2.7"), get("/a", "Forwarded: for=192.0.2.7;proto=https"),
    get("/a", "X-Real-IP: 192.0.2.7"), get("/a", "Via: 1.1 proxy"), get("/a", "Fly-Client-IP: 192.0.2.7"),
    get("/a", "CDN-Loop: x"), get("/a", "X-Original-Forwarded-For: 192.0.2.7"),
    get("/a", "Connection: Keep-Alive, Upgrade"), get("/a", "Connection: close, x"), get("/a?"), get("/a#x"),
    get("/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q"), get("/items/a%2Fb"), get("/items/é"), get("/items/"),
    get("/items/1?token"), get("*"), get("/a", "Authorization: Bearer x"), get("/a", "X-Authorization: x"),
    "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
    "POST /nowhere HTTP/1.1\r\nHost: localhost\r\n\(Sample.json)Content-Length: 2\r\n\r\n{}",
    "HEAD /large/20 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HEAD /throws/storage HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "OPTIONS /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "OPTIONS /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /a HTTP/1.1\r\nHost: \r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", "GET /a HTTP/1.1\r\nHost: localhost:\r\n\r\n",
    "GET /a HTTP/1.2\r\nHost: localhost\r\n\r\n", "GET /a http/1.1\r\nHost: localhost\r\n\r\n",
    "GET /a HTTP/1.1 \r\nHost: localhost\r\n\r\n", "GET\t/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    post("Transfer-Encoding: , chunked", body: "0\r\n\r\n"),
    post("Transfer-Encoding: chunked,", body: "0\r\n\r\n"),
    post("Transfer-Encoding: Chunked", body: "2\r\n{}\r\n0\r\n\r\n"),
    post("Transfer-Encoding: chunked", body: "2\r\n{}\r\n0\r\nA b\r\n\r\n"),
    post("Transfer-Encoding: chunked", body: "ffffffffff\r\n"), post("Content-Length: +2", body: "{}"),
    post("Content-Length: 0x2", body: "{}"), post("Content-Length: ", body: "{}"),
    get("/a", "Origin: https://app.example"), get("/a", "Origin: https://evil.example"),
    get("/a", "Origin: null"),
    "OPTIONS /echo HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n"
      + "Access-Control-Request-Headers: content-type\r\n\r\n",
    "OPTIONS /echo HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
    post("Content-Length: 2", body: "{}"),
    post("Content-Length: 2", "Origin: https://evil.example", body: "{}"),
    post("Content-Length: 2", "Expect: 100-continue", body: "{}"),
    post("Content-Length: 2", "Expect: tea", body: "{}"),
    post("Content-Length: -1", body: "{}"), post("Content-Length: 2, 2", body: "{}"),
    post("Content-Length: 2", "Content-Length: 3", body: "{}"),
    post("Content-Length: 99999999999", body: "{}"),
    post("Transfer-Encoding: chunked", body: "1\r\n{\r\n1;a=b\r\n}\r\n0\r\nA: b\r\n\r\n"),
    post("Transfer-Encoding: chunked", body: "x\r\n"),
    post("Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n"),
    post("Transfer-Encoding: chunked", "Content-Length: 2", body: "0\r\n\r\n"), post(body: "{}"),
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}",
  ]

  private static func visible(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\r": shown += "␍"
      case "\n": shown += "␊\n"
      default:
        shown.unicodeScalars.append(
          scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? scalar : scalar)
      }
    }
    return shown.hasSuffix("\n") ? shown : "\(shown)␄\n"
  }

  @Test(arguments: [("wire", false), ("wire-public", true)])
  func isAsRecorded(name: String, isPublic: Bool) throws {
    var text = ""
    for request in ExchangedBytes.requests {
      var log: [String] = []
      let stepped = try SteppedServer {
        $0.origins.isPublic = isPublic
        $0.log = { record in
          let facts = [
            record.suite, record.method?.rawValue, record.target, "\(record.status)", "\(record.bytes)",
          ]
          log.append(
            facts.map { $0 ?? "-" }.joined(separator: " ") + (record.failure.map { ", \($0.kind)" } ?? ""))
        }
        $0.logFailure = { log.append("failure: \($0.message)") }
      }
      let client = try stepped.exchange(request)
      let shortened = request.utf8.count > 600 ? "\(request.prefix(100))…" : request
      text +=
        "--- request\n\(ExchangedBytes.visible(shortened))--- response\(client.isClosed ? ", closed" : "")\n"
      text += ExchangedBytes.visible(client.text)
      for line in log { text += "--- log: \(line)\n" }
    }
    let hidden = text.replacing(/[0-9a-f]{12}-/, with: "ID-").replacing(
      /127\.0\.0\.1:\d{4,5}/, with: "ADDRESS")
    try RecordedText.hold("\(name).txt", to: hidden)
  }
}
