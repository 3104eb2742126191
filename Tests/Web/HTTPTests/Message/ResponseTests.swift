import System
import Testing

@testable import HTTP

@Suite struct ResponseTests {
  let request = Request(.get, URL(scheme: .https, host: "host", path: "/scores", query: "key=1"))

  @Test(arguments: [(199, false), (200, true), (299, true), (300, false)])
  func tellsSuccess(status: Int, isSuccess: Bool) { #expect(Response(status).isSuccess == isSuccess) }

  @Test(arguments: ["[]", "{}", " \n1", "\u{FEFF}[]", "nonsense"])
  func possibleJSONIsReturned(body: String) throws {
    #expect(
      try ReceivedResponse(Response(200, body: Array(body.utf8))).json(for: request) == Array(body.utf8))
  }

  @Test(arguments: [
    (200, "", "expected JSON, got nothing (status 200)"),
    (204, " \r\n", "expected JSON, got nothing (status 204)"),
    (
      200, "<!DOCTYPE html><HTML><head><Title class=x>Sign\n in\u{7}</title>",
      "expected JSON, got HTML: Sign in"
    ),
    (200, " <html><body>", "expected JSON, got HTML"), (200, "<title", "expected JSON, got HTML"),
    (200, "<title> </title>", "expected JSON, got HTML"),
    (200, "\u{FEFF}<title>x</title>", "expected JSON, got HTML: x"),
    (200, "\u{FEFF} ", "expected JSON, got nothing (status 200)"),
  ])
  func bodyThatIsNotJSONIsDescribed(status: Int, body: String, message: String) {
    let failure = #expect(throws: Failure.self) {
      try ReceivedResponse(Response(status, body: Array(body.utf8))).json(for: request)
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message == "'GET https://host/scores': \(message)")
  }

  @Test func asksForSuccessBeforeJSON() {
    let failure = #expect(throws: Failure.self) {
      try ReceivedResponse(Response(404, body: [0x7B])).json(for: request)
    }
    #expect(failure?.kind == .notFound)
  }

  @Test func secretThatTheServiceEscapesIsMasked() {
    let request = Request(.get, request.url, headers: ["X-Api-Key": "ab+/cd"])
    let response = Response(401, body: Array(#"{"error":"key ab\u002B\/cd is unknown"}"#.utf8))
    let failure = ReceivedResponse(response).failure(for: request)
    #expect(failure.message == "'GET https://host/scores' returned 401: key ••• is unknown")
  }

  @Test(arguments: [
    ("application/json", "application/json"), (" Text/HTML ; charset=x", "text/html"), ("", ""),
  ])
  func readsTheMediaType(field: String, type: String) {
    #expect(Response(200, headers: ["content-type": field]).mediaType == type)
  }

  private func quoted(_ text: String) -> String? {
    ReceivedResponse(Response(500, body: Array(text.utf8))).excerpt
  }

  /// The first 16 KiB of a page, and the first KiB of a text.
  @Test func quotesOnlyFromTheBeginning() {
    let page = "<html>" + String(repeating: " ", count: 16_384 - 14)
    #expect(quoted("\(page)<title>x</title>") == "x" && quoted("\(page) <title>x</title>") == nil)
    #expect(quoted(String(repeating: " ", count: 1023) + "xy") == "x")
  }

  @Test func aLineHasUpTo200Characters() {
    let line = String(repeating: "é", count: 200)
    #expect(quoted(line) == line)
    #expect(quoted("\(line)é") == "\(line)…")
  }
}
