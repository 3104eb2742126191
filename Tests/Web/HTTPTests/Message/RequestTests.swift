import System
import Testing

@testable import HTTP

@Suite struct MethodTests {
  private func names(_ isTrue: (HTTP.Method) -> Bool) -> String {
    HTTP.Method.allCases.filter(isTrue).map(\.rawValue).joined(separator: " ")
  }

  @Test func methodsHavePropertiesOfRFC9110() {
    #expect(names(\.isSafe) == "GET HEAD OPTIONS")
    #expect(names(\.isIdempotent) == "GET HEAD PUT DELETE OPTIONS")
    #expect(names(\.requiresLength) == "POST PUT PATCH")
  }
}

@Suite struct RequestTests {
  private func text(
    _ method: HTTP.Method, _ address: String, _ headers: Headers = [:], _ body: String = ""
  ) throws -> String {
    let request = Request(method, try URL(address), headers: headers, body: Array(body.utf8))
    return String(decoding: try request.wire(), as: UTF8.self)
  }

  @Test func requestIsSerialized() throws {
    #expect(try text(.get, "http://host:81") == "GET / HTTP/1.1\r\nHost: host:81\r\n\r\n")
    #expect(
      try text(.delete, "http://host/x?y", ["A": "", "B": "é\t"], "ab")
        == "DELETE /x?y HTTP/1.1\r\nHost: host\r\nA: \r\nB: é\t\r\nContent-Length: 2\r\n\r\nab")
    #expect(try text(.post, "unix:/s") == "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
  }

  /// What the connection is about is for the transport alone. The host can be another one.
  @Test func theFieldsOfTheConnectionAreLeftOut() throws {
    let headers: Headers = [
      "host": "other", "TE": "x", "Upgrade": "h2c", "Expect": "100-continue", "Transfer-Encoding": "chunked",
      "Connection": "close", "CONTENT-LENGTH": "7",
    ]
    #expect(try text(.get, "http://host/", headers) == "GET / HTTP/1.1\r\nhost: other\r\n\r\n")
  }

  @Test(arguments: ["", "a b", "é", "a:", "a\r\nb"])
  func invalidFieldNameIsRefused(name: String) {
    #expect(throws: Failure(.usage, "'\(name)' is not a name of a header field")) {
      try text(.get, "http://host/", [name: "x"])
    }
  }

  @Test(arguments: ["a\n", "\r\nB: c", "\u{0}", "\u{1B}", "\u{7F}"])
  func invalidFieldValueIsRefused(value: String) {
    let failure = Failure(
      .usage, "the value for header field 'A' holds a line break or another control character",
      hint: "check the setting or the file that it comes from")
    #expect(throws: failure) { try text(.get, "http://host/", ["X": "y", "A": value]) }
  }
}
