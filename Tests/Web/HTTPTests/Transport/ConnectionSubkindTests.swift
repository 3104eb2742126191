import System
import TestSupport
import Testing

@testable import HTTP

/// The sub-kind of status 5, the length of a refused wait, and what to do without a service.
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

  // MARK: Waits that are too long

  private func failure(_ headers: Headers, status: Int = 429, deadline: Deadline? = nil, _ time: FakeClock)
    throws -> Failure
  {
    let service = ScriptedTransport(Response(status, headers: headers))
    let retrying = RetryingTransport(
      service, policy: RetryPolicy(), deadline: deadline, time: time, jitter: { $0 }, report: { _ in })
    let request = Request.get("https://host/")
    return try retrying.send(request).failure(for: request)
  }

  @Test func aLongerMaximumWaits() throws {
    let time = FakeClock()
    var policy = RetryPolicy()
    policy.longestWait = .seconds(3600)
    let service = ScriptedTransport(Response(429, headers: ["Retry-After": "3600"]), Response(200))
    let retrying = RetryingTransport(
      service, policy: policy, deadline: nil, time: time, jitter: { $0 }, report: { _ in })
    #expect(try retrying.send(.get("https://host/")).status == 200)
    #expect(time.sleeps == [.seconds(3600)])
  }
}
