import System
import TestSupport
import Testing

@testable import HTTP

/// Bodies in the log: one line, cut, without secrets.
@Suite struct LoggedBodyTests {
  @Test(
    arguments: [
      (#"{"pin":"1234","name":"Eve"}"#, #"{"pin":"•••","name":"Eve"}"#),
      (#"{"a":[{"new_PIN" : 1234 }]}"#, #"{"a":[{"new_PIN" : "•••" }]}"#),
      (#"{"token":"a\"b","x":1}"#, #"{"token":"•••","x":1}"#),
      (#"{"p\u0069n":"1234"}"#, #"{"p\u0069n":"•••"}"#),
      (#"{"key":{"secret":true}}"#, #"{"key":{"secret":"•••"}}"#), (#"{"pin":"12"#, #"{"pin":"•••""#),
      (#"{"publicKey":"02ab","public_key":"02ab"}"#, #"{"publicKey":"02ab","public_key":"02ab"}"#),
      (#"["pin","token"]"#, #"["pin","token"]"#), ("token=abc&page=2", "token=•••&page=2"),
      ("a\n  b\t\tc\n", "a b c"), ("<a href=\"x?y=1\">", "<a href=\"x?y=1\">"),
      (#"{"echo":"hush-hush"}"#, #"{"echo":"•••"}"#),
      (#"{"x":"a=b","pin":"1"}"#, #"{"x":"a=b","pin":"•••"}"#), ("no key=value here", "no key=value here"),
      (#"[{"pin":1},2]"#, #"[{"pin":"•••"},2]"#), ("a\u{1}b", "a\u{1}b"),
      (#""pin":1234"#, #""pin":"•••""#),
      // Cut off anywhere.
      (#""pin""#, #""pin""#), (#"{"pin""#, #"{"pin""#), (#"{"pin":"#, #"{"pin":"#),
      (#"{"pin": "#, #"{"pin":"#), (#"{"pin":12"#, #"{"pin":"•••""#),
    ] as [(String, String)])
  func secretsInBodyAreMasked(_ body: String, _ line: String) {
    #expect(LoggedBody.line(Array(body.utf8), hiding: SentSecrets(["Authorization": "hush-hush"])) == line)
  }

  @Test func longBodyIsCut() throws {
    let long = Array(String(repeating: "x", count: 5000).utf8)
    #expect(
      LoggedBody.line(long, hiding: SentSecrets()) == String(repeating: "x", count: 1000) + "… (5000 bytes)")
    #expect(LoggedBody.line([], hiding: SentSecrets()) == nil)
    #expect(LoggedBody.line([1, 0, 2], hiding: SentSecrets()) == "(3 bytes that are not text)")
    #expect(LoggedBody.line([0], hiding: SentSecrets()) == "(1 byte that is not text)")
    let whole = String(repeating: "y", count: 1000)
    #expect(LoggedBody.line(Array(whole.utf8), hiding: SentSecrets()) == whole)
    #expect(LoggedBody.line(Array("\(whole)y".utf8), hiding: SentSecrets()) == "\(whole)… (1001 bytes)")
    // As many bytes as are looked at, and one more.
    let seen = Array((String(repeating: " ", count: 16_383) + "x").utf8)
    #expect(LoggedBody.line(seen, hiding: SentSecrets()) == "x")
    #expect(LoggedBody.line(seen + [0x79], hiding: SentSecrets()) == "x… (16385 bytes)")
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(LoggedBody.line(blanks, hiding: SentSecrets()) == "… (1048576 bytes)")
  }

  @Test func bodiesOfRequestAndResponseAreLogged() throws {
    let notes = RecordedMessages()
    let service = ScriptedTransport(.success(.text(200, "{\"you sent\":\"hush-hush\",\"esc\":\"\u{1b}\"}")))
    var request = Request.get("https://host/", headers: ["Authorization": "Bearer hush-hush"])
    request.method = .put
    request.body = Array(#"{"pin":"1234"}"#.utf8)
    _ = try LoggingTransport(service, detail: .messages, time: FakeClock(), report: notes.add).send(request)
    #expect(
      notes.lines.dropFirst() == [
        "> Authorization: •••", #"> {"pin":"•••"}"#, #"< {"you sent":"•••","esc":"�"}"#,
      ])
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
    let forms = [#"s"crét/1"#, #"s\"crét/1"#, "s%22cr%C3%A9t%2F1"]
    let request = Request.get(address, headers: headers)
    for form in forms {
      let notes = RecordedMessages()
      let service = ScriptedTransport(
        .success(Response(401, headers: ["Location": "/y?v=\(form)"], body: Array("no '\(form)'!".utf8))),
        .failure(Failure(.connection, "refused \(form)")))
      let logged = LoggingTransport(service, detail: .messages, time: FakeClock(), report: notes.add)
      _ = try logged.send(request)
      #expect(notes.lines.suffix(2) == ["< Location: /y?v=•••", "< no '•••'!"], "\(form)")
      #expect(throws: Failure.self) { try logged.send(request) }
      #expect(notes.lines.contains { $0.contains("refused •••, ") } && !notes.lines.joined().contains("cr"))
    }
  }
}
