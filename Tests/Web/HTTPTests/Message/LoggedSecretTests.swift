import System
import TestSupport
import Testing

@testable import HTTP

/// Secrets in the log of requests.
@Suite struct LoggedSecretTests {
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
