import System
import TestSupport
import Testing

@testable import HTTP

/// The sub-kind of status 5.
@Suite struct ConnectionSubkindTests {
  @Test(
    arguments: [
      ([], nil), ([.init("subkind", .text("tls"))], .tls), ([.init("subkind", .text("odd"))], nil),
      ([.init("subkind", .integer(1))], nil), ([.init("other", .text("tls"))], nil),
      ([.init("other", .text("x")), .init("subkind", .text("dns"))], .dns),
    ] as [([Failure.Detail], ConnectionSubkind?)])
  func isReadFromTheDetails(_ details: [Failure.Detail], _ subkind: ConnectionSubkind?) {
    #expect(Failure(.connection, "x", details: details).subkind == subkind)
  }

  @Test func theFirstSubkindStays() {
    let details: [Failure.Detail] = [.init("a", .integer(1)), .init("subkind", .text("tls"))]
    #expect(Failure(.connection, "x", details: [details[0]]).with(.tls).with(.dns).details == details)
  }

  @Test func otherErrorsBecomeConnectionErrors() {
    #expect(ConnectionError(SystemError.interrupted, else: .closed) == .interrupted)
    #expect(ConnectionError(SystemError.brokenPipe, else: .closed) == .closed)
    #expect(ConnectionError(MessageError.cutShort, status: 200) == .cutShort(status: 200))
    #expect(ConnectionError(MessageError.malformed("x"), status: 200) == .malformed("x"))
    #expect(ConnectionError(MessageError.tooLarge(limit: 7), status: nil) == .tooLarge(limit: 7))
  }

  @Test func deadlineHasSubkindTimeout() {
    #expect(Deadline(in: .seconds(1), FakeClock()).failure.details == [.init("subkind", .text("timeout"))])
  }
}
