import System
import TestSupport
import Testing

@testable import HTTP

/// libcurl 7.83.0 to 8.1.0 keeps a pointer to the last header of a transfer after it has freed it. A response that
/// begins with a folded line makes it write there.
@Suite(.needs(.libcurl)) struct CurlHandleReuseTests {
  @Test func foldedFirstHeaderDoesNotCorruptReusedHandle() throws {
    let folded = "HTTP/1.1 304 Not Modified\r\n Tag: \"a\"\r\n\r\n"
    let many = (0..<40).map { "X-\($0): \(String(repeating: "v", count: $0 * 9))\r\n" }.joined()
    let server = try ScriptedServer { peer in
      peer.answer(peer.number % 2 == 0 ? folded : "HTTP/1.1 200 OK\r\n\(many)Content-Length: 2\r\n\r\nok")
    }
    defer { server.stop() }
    let transport = CurlTransport(environment: Environment([:]), limits: TimeLimits(), time: SystemTime())
    for number in 1...100 {
      let outcome = Result { () throws(Failure) in try transport.send(Request(.get, server.url)) }
      if number % 2 == 0 {
        #expect(throws: Failure.self) { try outcome.get() }
      } else {
        #expect(try outcome.get().string == "ok")
      }
    }
  }
}
