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
    ] as [(String, String)])
  func isMasked(_ body: String, _ line: String) {
    #expect(LoggedBody.line(Array(body.utf8), secrets: ["hush-hush"]) == line)
  }

  @Test func isCut() throws {
    let long = Array(String(repeating: "x", count: 5000).utf8)
    #expect(LoggedBody.line(long, secrets: []) == String(repeating: "x", count: 1000) + "… (5000 bytes)")
    #expect(LoggedBody.line([], secrets: []) == nil)
    #expect(LoggedBody.line([1, 0, 2], secrets: []) == "(3 bytes that are not text)")
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(LoggedBody.line(blanks, secrets: []) == "… (1048576 bytes)")
  }

  @Test func ofBothMessages() throws {
    let notes = RecordedMessages()
    let service = ScriptedTransport(.success(.text(200, "{\"you sent\":\"hush-hush\",\"esc\":\"\u{1b}\"}")))
    var request = Request.get("https://host/", headers: ["Authorization": "Bearer hush-hush"])
    request.method = .put
    request.body = Array(#"{"pin":"1234"}"#.utf8)
    _ = try Logged(service, detail: .messages, time: FakeClock(), report: notes.add).send(request)
    #expect(
      notes.lines.dropFirst() == [
        "> Authorization: •••", #"> {"pin":"•••"}"#, #"< {"you sent":"•••","esc":"�"}"#,
      ])
  }
}
