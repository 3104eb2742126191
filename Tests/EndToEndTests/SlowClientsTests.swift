import Foundation
import System
import TestSupport
import Testing

/// Clients that take their time, against the real server and its real clock.
@Suite(.ownThread) struct SlowClients {
  /// Each of a thousand sends a byte of its request a second. Who asks in the meantime is answered, and so are they
  /// when they are done.
  @Test func aThousandThatDripHoldNobodyUp() throws {
    _ = DescriptorLimit.raise()
    let server = try Serving.Server(["--demo"])
    let clients = try (0..<1000).map { _ in try #require(RawConnection(server.url)) }
    let request = Array("GET /api/v1/lightning/nodes/rankings/age HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    for byte in request.prefix(4) {
      #expect(clients.allSatisfy { $0.send([byte]) })
      let another = try #require(RawConnection(server.url))
      #expect(another.ask("GET", "/api/v1/lightning/nodes/rankings/age")?.status == 200)
      // The clock of the server is the real one.
      usleep(1_000_000)
    }
    #expect(clients.allSatisfy { $0.send(request.dropFirst(4)) })
    #expect(clients.allSatisfy { $0.answer()?.status == 200 })
    #expect(server.stop().status == 0)
  }
}
