import JSON
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct EndpointTests {
  private func endpoint(_ service: ScriptedTransport) throws -> Endpoint {
    Endpoint(try HTTP.URL("https://host/v1"), service)
  }

  /// A change whose response cannot be read may have been made; a question changes nothing.
  @Test(arguments: [(HTTP.Method.get, false), (.put, true), (.patch, true), (.delete, true)])
  func unreadableResponseToWriteHasUnknownOutcome(_ method: HTTP.Method, outcomeUnknown: Bool) throws {
    let endpoint = try endpoint(ScriptedTransport(.success(.text(200, "<html>"))))
    let request = endpoint.request(method, "/number")
    do throws(Failure) {
      let response = try endpoint.send(request)
      _ = try endpoint.read(response, for: request, { _ in nil }) { json throws(Failure) in try json.int }
      Issue.record("it was read")
    } catch {
      #expect(error.kind == .invalidData && error.outcomeUnknown == outcomeUnknown)
    }
  }

  /// A response that breaks the contract is named by its request; any other failure speaks for itself.
  @Test func contractViolationNamesRequest() throws {
    let endpoint = try endpoint(ScriptedTransport(.success(.text(200, "\"one\""))))
    let broken = failure { try endpoint.get("/number") { json throws(Failure) in try json.int } }
    #expect(
      broken?.message.hasPrefix("'GET https://host/v1/number': line 1") == true, "\(broken?.message ?? "")")
    #expect(broken?.hint?.hasPrefix("the service violates its contract") == true)
    let missing = Failure(.notFound, "there is none")
    let other = #expect(throws: Failure.self) {
      try endpoint.get("/number") { _ throws(Failure) -> Int in throw missing }
    }
    #expect(other == missing)
  }

  /// The memory for a list is bounded, wherever the list is in the response.
  @Test(arguments: ["[", "{\"a\":1,\"beeList\":[", "{\"data\":{\"en\":[["])
  func listOfTooManyRowsIsInvalid(start: String) throws {
    let end = String(start.reversed().map { $0 == "[" ? "]" : $0 == "{" ? "}" : " " })
    for (rows, isValid) in [(100_000, true), (100_001, false)] {
      let text = start + [String](repeating: "{}", count: rows).joined(separator: ",") + end
      let service = ScriptedTransport(.success(.text(200, text)))
      let found = failure { try endpoint(service).get("/x") { _ in 1 } }
      #expect((found == nil) == isValid, "\(rows): \(found as Any)")
      guard let found else { continue }
      #expect(found.kind == .invalidData && found.message.hasSuffix("the list has more than 100000 rows"))
    }
  }

  @Test func serviceErrorGoesBeforeGeneralOne() throws {
    let endpoint = try endpoint(ScriptedTransport(.success(.text(404, "none"))))
    let own = Failure(.notFound, "no such number")
    #expect(throws: own) {
      try endpoint.get("/number", serviceError: { $0.status == 404 ? own : nil }) { json throws(Failure) in
        try json.int
      }
    }
  }

  /// In the text of an error, in the error that a client reads itself, and in a value that breaks the contract.
  @Test func sentTokenIsMaskedInFailures() throws {
    let token: Headers = ["X-Authorization": "sekrit-123"]
    func refusal(_ response: Response) throws -> Failure? {
      let endpoint = Endpoint(try HTTP.URL("https://host/v1"), headers: token, ScriptedTransport(response))
      return failure { try endpoint.get("/number") { json throws(Failure) in try json.int } }
    }
    let refused = try refusal(.text(401, #"{"error":"no user has sekrit-123"}"#))
    #expect(refused?.message.contains("•••") == true && refused?.message.contains("sekrit") == false)
    let broken = try refusal(.text(200, #""sekrit-123""#))
    #expect(broken?.kind == .invalidData && broken?.message.contains("sekrit") == false)
    let endpoint = Endpoint(
      try HTTP.URL("https://host/v1"), headers: token, ScriptedTransport(.text(403, "sekrit-123 is nobody's"))
    )
    #expect(try endpoint.send(.get, "/x").text == "••• is nobody's")
  }

  @Test func meaningfulErrorsArePassedToTheTransport() throws {
    let service = ScriptedTransport(.success(.text(200, "1")))
    let meant = [MeaningfulError(500, "no such number")]
    _ = try endpoint(service).get("/number", meaningfulErrors: meant) { json throws(Failure) in try json.int }
    #expect(service.requests.map { $0.meaningfulErrors.count } == [1])
  }

  private func number(_ response: Response, _ later: Response) -> (Endpoint, ScriptedTransport) {
    let service = ScriptedTransport(response, later)
    service.change = { $0.isCached = service.requests.count == 1 }
    return (Endpoint(URL(scheme: .https, host: "host", path: "/v1"), service), service)
  }

  /// The second request accepts no stored response, whatever became of the first.
  @Test func unusableCachedResponseIsRequestedAgain() throws {
    let (endpoint, service) = number(.text(200, "<html>"), .text(200, "0"))
    let value = try endpoint.get("/number", maxAge: .seconds(60), isCacheable: { $0 > 0 }) {
      json throws(Failure) in try json.int
    }
    #expect(value == 0)
    #expect(service.requests.map(\.maxAge) == [.seconds(60), .zero])
    #expect(service.discarded == ["/v1/number", "/v1/number"])
  }

  @Test func cachedResponseThatMeansFailureIsNotRequestedAgain() throws {
    let (endpoint, service) = number(.text(200, "1"), .text(200, "2"))
    let missing = Failure(.notFound, "there is none")
    #expect(throws: missing) {
      try endpoint.get("/number") { _ throws(Failure) -> Int in throw missing }
    }
    #expect(service.requests.count == 1 && service.discarded.isEmpty)
  }

  @Test func requestCombinesHeadersOfServiceAndCall() throws {
    let service = ScriptedTransport(.status(200))
    let endpoint = Endpoint(try URL("https://host/v1"), headers: ["A": "1", "B": "2"], service)
    _ = try endpoint.send(.put, "/y", ["q": "1"], headers: ["b": "3"], body: [7])
    #expect(
      service.requests == [
        Request(.put, try URL("https://host/v1/y?q=1"), headers: ["A": "1", "b": "3"], body: [7])
      ])
  }
}
