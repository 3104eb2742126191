import HTTP
import TestSupport
import Testing

@testable import Server

/// What a page in a browser, or a proxy that nobody declared, can make of a server on this machine.
@Suite struct OriginRulesTests {
  /// A line has words for the rules, the request and its fields; the next one has the status.
  @Test func statusesAreAsRecorded() throws {
    let routes = [HTTP.Method.get, .post].map { Route($0, "/a") { _ in Response(200) } }
    try RecordedText.holdLines("origins.txt") { line in
      let parts = line.split(separator: " | ").map(String.init)
      let words = parts[0].split(separator: " ")
      let stepped = try SteppedServer(routes) {
        $0.origins = OriginRules()
        $0.origins.isPublic = words.contains("public")
        guard words.contains("named") else { return }
        $0.origins.hosts = ["bikes.example"]
        if words[0] == "public" { $0.origins.requiresHost = words.contains("required") }
      }
      let fields = parts.dropFirst(2).map { "\($0)\r\n" }.joined()
      let body = words.contains("body") ? "Content-Length: 2\r\n\r\n{}" : "\r\n"
      let client = try stepped.exchange("\(parts[1]) HTTP/1.1\r\n\(fields)\(body)")
      return client.statuses.map(String.init).joined(separator: ", ")
    }
  }

  @Test(arguments: [
    ("a", "a"), ("A:80", "a"), ("a:", "a"), ("a:b", "a:b"), ("[::1]", "[::1]"), ("[::1]:80", "[::1]"),
    ("[::1", "[::1"), ("[::1:80", "[::1:80"), ("", ""),
  ])
  func aHostWithoutItsPort(host: String, name: String) { #expect(OriginRules.name(host) == name) }
}
