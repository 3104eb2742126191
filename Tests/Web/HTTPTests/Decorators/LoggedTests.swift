import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct LoggedTests {
  let time = FakeClock()
  let notes = RecordedMessages()

  private func log(_ request: Request, _ service: ScriptedTransport, _ detail: LoggingTransport.Detail)
    -> [String]
  {
    let slow = ScriptedTransport { [time] request throws(Failure) in
      time.advance(by: .milliseconds(87))
      return try service.send(request).response
    }
    _ = try? LoggingTransport(slow, detail: detail, time: time, report: notes.add).send(request)
    return notes.lines
  }

  @Test(arguments: [(0, "0 bytes"), (1, "1 byte"), (1234, "1234 bytes")])
  func requestIsLoggedInOneLine(count: Int, size: String) {
    let service = ScriptedTransport(.text(200, String(repeating: "x", count: count)))
    #expect(log(.get("https://host/path"), service, .line) == ["GET https://host/path → 200, \(size), 87 ms"])
  }

  @Test(arguments: [(LoggingTransport.Detail.line, 1), (.messages, 2)])
  func aRequestWithoutAResponseIsShownInDetail(detail: LoggingTransport.Detail, count: Int) {
    let request = Request.get("https://host/", headers: ["Accept": "*/*"])
    let lines = ["GET https://host/ → 'host:80' refused the connection, 87 ms", "> Accept: */*"]
    #expect(log(request, ScriptedTransport(.refused), detail) == Array(lines.prefix(count)))
  }

  @Test func loggedOutcomeIsUnchanged() throws {
    let logged = LoggingTransport(
      ScriptedTransport(.status(404), .refused), detail: .messages, time: time, report: notes.add)
    #expect(try logged.send(.get("https://host/")).status == 404)
    #expect(throws: Failure.self) { try logged.send(.get("https://host/")) }
  }

  @Test func showsHeadersWithoutSecrets() {
    let request = Request.get(
      "https://host/x?api_key=abc&page=2&%74oken=def",
      headers: ["Accept": "*/*", "Authorization": "abc", "X-Authorization": "abc", "Cookie": "a=b"])
    let service = ScriptedTransport(
      Response(200, headers: ["Date": "today", "Set-Cookie": "s=1", "X-Session-Token": "t"]))
    #expect(
      log(request, service, .messages) == [
        "GET https://host/x?api_key=•••&page=2&%74oken=••• → 200, 0 bytes, 87 ms",
        "> Accept: */*", "> Authorization: •••", "> X-Authorization: •••", "> Cookie: •••",
        "< Date: today", "< Set-Cookie: •••", "< X-Session-Token: •••",
      ])
  }

  @Test func controlCharactersInLogAreReplaced() {
    let service = ScriptedTransport(Response(200, headers: ["Server": "a\u{1b}[31mb\u{9b}2Jc\u{202e}d\r\n"]))
    #expect(log(.get("https://host/"), service, .messages).last == "< Server: a�[31mb�2Jc�d��")
    let failing = ScriptedTransport(.failure(Failure(.connection, "no\nhw: forged\u{1b}")))
    #expect(log(.get("https://host/"), failing, .line).last == "GET https://host/ → no�hw: forged�, 87 ms")
  }

  /// A service may repeat a secret in every part of its response, in the form of a query, in JSON or as it is.
  @Test(
    arguments: [
      ("https://host/x?api_key=s%22cr%C3%A9t%2F1", Headers()),
      ("https://host/x?page=1&%74oken=s%22cr%C3%A9t/1", Headers()),
      ("https://host/x", ["X-Api-Key": "s\"crét/1"]),
      ("https://host/x", ["Authorization": "ApiKey s\"crét/1"]),
    ] as [(String, Headers)])
  func aSecretIsMaskedWhereverAServiceRepeatsIt(_ address: String, _ headers: Headers) throws {
    let forms = [#"s"crét/1"#, #"s\"crét/1"#, #"s\"crét\/1"#, "s%22cr%C3%A9t%2F1"]
    let request = Request.get(address, headers: headers)
    for form in forms {
      let notes = RecordedMessages()
      let service = ScriptedTransport(
        .success(Response(401, headers: ["Location": "/y?v=\(form)"])),
        .failure(Failure(.connection, "refused \(form)")))
      let logged = LoggingTransport(service, detail: .messages, time: FakeClock(), report: notes.add)
      _ = try logged.send(request)
      #expect(notes.lines.last == "< Location: /y?v=•••", "\(form)")
      #expect(throws: Failure.self) { try logged.send(request) }
      #expect(notes.lines.contains { $0.contains("refused •••, ") } && !notes.lines.joined().contains("cr"))
    }
  }
}

@Suite struct SecretsTests {
  @Test func secretNamesAreRecognized() {
    let secret = [
      "Authorization", "authorization", "X-Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie",
      "X-Api-Key", "access_token", "client_secret", "pin", "new-PIN", "password",
    ]
    let others = [
      "Accept", "Date", "Idempotency-Key", "Idempotency-Key-Kept", "page", "cursor", "X-RateLimit-Reset",
    ]
    #expect((secret + others).filter { Secrets.isSecret($0) } == secret)
  }

  @Test(arguments: [
    ("", ""), ("key", "key"), ("key=", "key=•••"), ("a=1&key=2=3&b", "a=1&key=•••&b"), ("a&&b=", "a&&b="),
    ("%6Bey=1", "%6Bey=•••"), ("%zzkey=1", "%zzkey=•••"),
  ])
  func areMaskedInQueries(query: String, shown: String) {
    #expect(Secrets.shown(query: query) == shown)
    #expect(Secrets.shown(target: "/key=1?\(query)") == "/key=1?\(shown)")
    #expect(Secrets.shown(address: "http://a:b@h/?\(query)") == "http://•••@h/?\(shown)")
  }
}
