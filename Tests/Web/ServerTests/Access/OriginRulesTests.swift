import HTTP
import TestSupport
import Testing

@testable import Server

/// What a page in a browser, or a proxy that nobody declared, can make of a server on this machine.
@Suite struct OriginRulesTests {
  private static func status(
    _ head: String, body: String = "", _ configure: (inout OriginRules) -> Void = { _ in }
  ) throws -> Int {
    var rules = OriginRules()
    configure(&rules)
    let routes = [Route(.get, "/a") { _ in Response(200) }, Route(.post, "/a") { _ in Response(200) }]
    let stepped = try SteppedServer(routes) { $0.origins = rules }
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    let client = try stepped.exchange("\(head)\(length)\r\n\(body)")
    return try #require(client.statuses.first)
  }

  @Test(
    "A server on this machine has the names of this machine",
    arguments: [
      ("localhost", 200), ("LOCALHOST:7400", 200), ("127.0.0.1", 200), ("127.9.9.9:1", 200), ("[::1]", 200),
      ("[::1]:7400", 200), ("", 200), ("evil.example", 403), ("evil.example:7400", 403), ("10.0.0.1", 403),
      ("localhost.evil.example", 403), ("127.0.0.1.evil.example", 403), ("[::2]", 403), ("::1", 403),
      ("localhost:80:80", 403), ("x127.0.0.1]", 403), ("[127.0.0.1x", 403),
      (String(repeating: "a", count: 4000), 403),
    ])
  func names(_ host: String, _ expected: Int) throws {
    #expect(try Self.status("GET /a HTTP/1.1\r\nHost: \(host)\r\n") == expected)
    #expect(try Self.status("GET /a HTTP/1.1\r\nHost: \(host)\r\n") { $0.isPublic = true } == 200)
  }

  /// The target goes before the header field, whichever of them comes first to a proxy.
  @Test(arguments: [
    ("localhost", "evil.example", 200), ("evil.example", "localhost", 403), ("[::1]:80", "x", 200),
  ])
  func aNameInTheTarget(target: String, host: String, expected: Int) throws {
    #expect(try Self.status("GET http://\(target)/a HTTP/1.1\r\nHost: \(host)\r\n") == expected)
  }

  @Test func anotherNameIsAccepted() throws {
    for host in ["bikes.example", "BIKES.example:443"] {
      #expect(try Self.status("GET /a HTTP/1.1\r\nHost: \(host)\r\n") { $0.hosts = ["bikes.example"] } == 200)
    }
  }

  @Test(
    "A public server checks names if one is given",
    arguments: [
      ("bikes.example", true, 200), ("other.example", true, 403), ("127.0.0.1:7400", true, 200),
      ("other.example", false, 200),
    ])
  func publicNames(host: String, isRequired: Bool, status: Int) throws {
    let actual = try Self.status("GET /a HTTP/1.1\r\nHost: \(host)\r\n") {
      $0.isPublic = true
      $0.hosts = ["bikes.example"]
      $0.requiresHost = isRequired
    }
    #expect(actual == status)
  }

  @Test(
    "What came through a proxy is refused by a server that is not public",
    arguments: [
      "Forwarded: for=1.2.3.4", "X-Forwarded-For: 1.2.3.4", "x-forwarded-proto: https",
      "X-Forwarded-Host: a", "X-Forwarded-Prefix: /hw", "X-Forwarded-A: a", "Via: 1.1 a",
      "X-Real-IP: 1.2.3.4",
      "CF-Connecting-IP: 1.2.3.4", "True-Client-IP: 1.2.3.4", "X-Client-IP: 1.2.3.4",
      "X-Cluster-Client-IP: 1.2.3.4",
    ])
  func forwarded(_ line: String) throws {
    let head = "GET /a HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n"
    #expect(try Self.status(head) == 403)
    #expect(try Self.status(head) { $0.isPublic = true } == 200)
  }

  @Test(
    "A page of another origin may not write",
    arguments: [
      ("http://localhost:7400", 200), ("https://localhost:7400", 200), ("http://localhost", 403),
      ("http://evil.example", 403), ("null", 403), ("", 403), ("https://app.example", 403),
    ])
  func origins(_ origin: String, _ expected: Int) throws {
    func head(_ method: String) -> String {
      "\(method) /a HTTP/1.1\r\nHost: localhost:7400\r\nOrigin: \(origin)\r\n"
    }
    for isPublic in [false, true] {
      #expect(try Self.status(head("POST")) { $0.isPublic = isPublic } == expected)
      #expect(try Self.status(head("GET")) { $0.isPublic = isPublic } == 200)
    }
  }

  @Test(
    "A body has a type that no form has",
    arguments: [
      (nil, 415), ("text/plain", 415), ("application/x-www-form-urlencoded", 415), ("", 415),
      ("multipart/form-data; boundary=application/json", 415), ("application/jsonx", 415),
      ("application/json", 200), ("Application/JSON; charset=utf-8", 200),
      ("application/json ; a=b", 200), ("application/jsonl", 415),
    ] as [(String?, Int)])
  func types(_ type: String?, _ expected: Int) throws {
    let line = type.map { "Content-Type: \($0)\r\n" } ?? ""
    #expect(try Self.status("POST /a HTTP/1.1\r\nHost: localhost\r\n\(line)", body: "{}") == expected)
    #expect(try Self.status("POST /a HTTP/1.1\r\nHost: localhost\r\n\(line)") == 200)
  }

  @Test(arguments: [
    ("a", "a"), ("A:80", "a"), ("a:", "a"), ("a:b", "a:b"), ("[::1]", "[::1]"), ("[::1]:80", "[::1]"),
    ("[::1", "[::1"), ("[::1:80", "[::1:80"), ("", ""),
  ])
  func aHostWithoutItsPort(host: String, name: String) { #expect(OriginRules.name(host) == name) }

  /// However the body is sent; without a body the type is no matter.
  @Test(arguments: [
    ("text/plain", "2\r\n{}\r\n0\r\n\r\n", 415), ("text/plain", "0\r\n\r\n", 200),
    ("application/json", "2\r\n{}\r\n0\r\n\r\n", 200),
  ])
  func typesOfChunks(type: String, chunks: String, status: Int) throws {
    let head =
      "POST /a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: \(type)\r\n"
    let stepped = try SteppedServer([Route(.post, "/a") { _ in Response(200) }])
    #expect(try stepped.exchange("\(head)\r\n\(chunks)").statuses == [status])
  }
}
