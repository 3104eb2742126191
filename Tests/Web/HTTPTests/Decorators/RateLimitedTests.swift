import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct RateLimitedTests {
  let scratch: ScratchDirectory
  let time = FakeClock(Timestamp(seconds: FakeClock.start.seconds + 10))
  let notes = RecordedMessages()
  let request = Request.get("https://api.example.org/teams")

  init() throws { scratch = try ScratchDirectory() }

  private func limited(
    _ inner: any Transport, _ limit: RateLimit = .fixed(3, per: .seconds(60)),
    _ longestWait: Duration = .seconds(120), requested: Duration = .seconds(120), deadline: Deadline? = nil
  ) -> RateLimitingTransport {
    RateLimitingTransport(
      inner, limit: limit, ledgersIn: scratch.path, longestWait: longestWait,
      longestRequestedWait: requested, deadline: deadline, time: time, report: notes.add)
  }

  @Test func waitForNextSlotIsReported() throws {
    let service = ScriptedTransport(Response(200))
    let transport = limited(service)
    for _ in 0..<3 { _ = try transport.send(request) }
    #expect(notes.lines.isEmpty)
    _ = try transport.send(request)
    #expect(notes.lines == ["rate limit: waiting 52 s for the next slot"])
    #expect(time.sleeps == [.seconds(52)])
    #expect(service.requests.count == 4)
  }

  @Test func limitWithoutWaitFailsAtOnce() throws {
    let service = ScriptedTransport(Response(200))
    let transport = limited(service, .fixed(1, per: .seconds(60)), .zero)
    _ = try transport.send(request)
    let failure = #expect(throws: Failure.self) { try transport.send(request) }
    #expect(
      failure
        == Failure(
          .rateLimited, "the rate limit of 'api.example.org' is reached: 1 call in a minute",
          hint: "retry in 52 s", retryable: true, details: [.init("retryAfter", .integer(52))]))
    #expect(service.requests.count == 1 && time.sleeps.isEmpty)
  }

  @Test func doesNotWaitLongerThanItIsWorth() throws {
    for transport in [
      limited(ScriptedTransport(Response(200)), .fixed(1, per: .seconds(3600))),
      limited(
        ScriptedTransport(Response(200)), .fixed(1, per: .seconds(60)),
        deadline: Deadline(in: .seconds(20), time)),
    ] {
      _ = try? transport.send(request)
      let failure = #expect(throws: Failure.self) { try transport.send(request) }
      #expect(failure?.kind == .rateLimited && time.sleeps.isEmpty)
    }
  }

  /// The next slot is in 52 s.
  @Test(arguments: [(51, false), (52, true)])
  func waitsAsLongAsItIsWorth(seconds: Int, isSent: Bool) throws {
    let service = ScriptedTransport(Response(200))
    let transport = limited(service, .fixed(1, per: .seconds(60)), .seconds(seconds), requested: .zero)
    _ = try transport.send(request)
    #expect(((try? transport.send(request)) != nil) == isSent)
    #expect(time.sleeps == (isSent ? [.seconds(52)] : []))
    #expect(service.requests.count == (isSent ? 2 : 1))
  }

  /// A service that asks for a long wait is asked again only after it, by the next process too.
  @Test(arguments: [(119, false), (120, true)])
  func aWaitThatTheServiceAsksForHasALimitOfItsOwn(whenAsked: Int, isSent: Bool) throws {
    let refusing = ScriptedTransport(Response(429, headers: ["Retry-After": "120"]))
    #expect(try limited(refusing).send(request).status == 429)
    let service = ScriptedTransport(Response(200))
    let transport = limited(
      service, .fixed(3, per: .seconds(60)), .seconds(3600), requested: .seconds(whenAsked))
    let refusal = failure { try transport.send(request) }
    #expect(refusal?.kind == (isSent ? nil : .rateLimited))
    #expect(refusal?.hint == (isSent ? nil : "retry in 120 s"))
    #expect(time.sleeps == (isSent ? [.seconds(120)] : []))
  }

  @Test func aRefusalThatComesAfterItsWindowMeansNoWait() throws {
    let time = time
    let slow = ScriptedTransport { _ in
      time.advance(by: .seconds(60))
      return Response(429)
    }
    #expect(try limited(slow).send(request).headers["Retry-After"] == "0")
    _ = try limited(ScriptedTransport(Response(200))).send(request)
    #expect(time.sleeps.isEmpty)
  }

  @Test func theLimitIsRenewedWhenItsWindowHasEnded() {
    #expect(limited(ScriptedTransport(Response(200))).renewal == .seconds(52))
    time.advance(by: .seconds(51))
    #expect(limited(ScriptedTransport(Response(200))).renewal == .seconds(61))
  }

  @Test func keepsHostsApart() throws {
    let service = ScriptedTransport(Response(200))
    let transport = limited(service)
    for _ in 0..<3 { _ = try transport.send(request) }
    for url in ["https://other.example.org/", "https://api.example.org:8443/", "unix:/run/hw.sock"] {
      #expect(try transport.remaining(URL(url)) == 3)
    }
    #expect(
      scratch.names == [
        "_run_hw.sock.rate", "api.example.org.rate", "api.example.org_8443.rate", "other.example.org.rate",
      ])
  }

  @Test func callWithoutResponseIsCounted() throws {
    let transport = limited(ScriptedTransport(.refused))
    #expect(throws: Failure.self) { try transport.send(request) }
    #expect(try transport.remaining(request.url) == 2)
  }

  @Test(
    arguments: [
      (["Retry-After": "30"], 429, 30), (["X-RateLimit-Reset": "1704067230"], 429, 20),
      (["Retry-After": "Mon, 01 Jan 2024 00:00:40 GMT"], 429, 30),
      (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1704067230"], 200, 20),
      // Without a word on how long: until the limit's own window ends.
      ([:], 429, 52), (["X-RateLimit-Remaining": "0"], 200, 52),
      (["X-RateLimit-Reset": "1704067230000"], 429, 52),
      (["X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "1704067230"], 200, nil), ([:], 503, nil),
    ] as [(Headers, Int, Int?)])
  func rateLimitHeadersCloseWindow(headers: Headers, status: Int, wait: Int?) throws {
    let first = try limited(ScriptedTransport(Response(status, headers: headers))).send(request)
    // A refusal says when to come back.
    let said = headers["Retry-After"] ?? (status == 429 ? wait.map { "\($0)" } : nil)
    #expect(first.headers["Retry-After"] == said)
    _ = try limited(ScriptedTransport(Response(200))).send(request)
    #expect(time.sleeps == (wait.map { [.seconds($0)] } ?? []))
  }

  @Test(
    "A refusal of a shared limit closes nothing unless it names a time or says that no calls remain",
    arguments: [
      ([:], nil), (["X-RateLimit-Remaining": "3"], nil), (["X-RateLimit-Remaining": "0"], 52),
      (["Retry-After": "30"], 30), (["X-RateLimit-Reset": "1704067230"], 20),
    ] as [(Headers, Int?)])
  func sharedLimit(headers: Headers, wait: Int?) throws {
    let limit = RateLimit.fixed(3, per: .seconds(60), isShared: true)
    let refused = try limited(ScriptedTransport(Response(429, headers: headers)), limit).send(request)
    #expect((refused.headers["Retry-After"] == nil) == (wait == nil))
    #expect(
      try limited(ScriptedTransport(Response(200)), limit).remaining(request.url) == (wait == nil ? 2 : 0))
    _ = try limited(ScriptedTransport(Response(200)), limit).send(request)
    #expect(time.sleeps == (wait.map { [.seconds($0)] } ?? []))
  }

  @Test func aSlidingWindowThatIsRefusedWaitsAWholeOne() throws {
    let limit = RateLimit.sliding(3, per: .seconds(60))
    _ = try limited(ScriptedTransport(Response(429)), limit).send(request)
    _ = try limited(ScriptedTransport(Response(200)), limit).send(request)
    #expect(time.sleeps == [.seconds(62)])
  }

  @Test(arguments: [Array("rubbish".utf8), [UInt8](repeating: 0, count: RateLedger.size)])
  func aDamagedLedgerIsNoPermission(bytes: [UInt8]) throws {
    try File.replace("\(scratch.path)/api.example.org.rate", with: bytes)
    let transport = limited(ScriptedTransport(Response(200)))
    _ = try transport.send(request)
    #expect(time.sleeps == [.seconds(52)])
    // And it is whole again.
    #expect(try transport.remaining(request.url) == 2)
  }

  @Test func withoutLedgerFileProcessCountsAlone() throws {
    // A folder stands where the file should.
    try Folder.make("\(scratch.path)/api.example.org.rate")
    let transport = limited(ScriptedTransport(Response(200)))
    for _ in 0..<4 { _ = try transport.send(request) }
    #expect(time.sleeps == [.seconds(52)])
    #expect(notes.lines.count == 2)
    #expect(notes.lines[0].hasPrefix("rate limit: counting this process alone: cannot lock '\(scratch.path)"))
  }

  /// As processes do, each opens the file anew: the lock is the file's, not the thread's.
  @Test func concurrentCallsAreCountedExactly() throws {
    let limit = RateLimit.fixed(1_000_000, per: .seconds(3600))
    let (folder, url) = (scratch.path, request.url)
    let time = time
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<250 {
        let transport = RateLimitingTransport(
          ScriptedTransport(Response(200)), limit: limit, ledgersIn: folder, deadline: nil,
          time: time, report: { _ in })
        if (try? transport.send(Request(.get, url))) == nil { failures.withLock { $0 += 1 } }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(try limited(ScriptedTransport(Response(200)), limit).remaining(url) == 1_000_000 - 2000)
  }
}

/// Calls that are counted ahead of their time.
extension RateLimitedTests {
  @Test func reservedCallIsKeptForItsOwner() throws {
    let (mine, others) = (
      limited(ScriptedTransport(Response(200))), limited(ScriptedTransport(Response(200)))
    )
    #expect(try mine.reserve(request.url, ahead: .seconds(20)))
    // Once is enough.
    #expect(try mine.reserve(request.url, ahead: .seconds(20)))
    #expect(try others.remaining(request.url) == 2)
    for _ in 0..<2 { _ = try others.send(request) }
    time.advance(by: .seconds(20))
    #expect(try mine.sendReserved(request).status == 200)
    #expect(time.sleeps == [])
    // It is spent.
    #expect(try others.remaining(request.url) == 0)
    _ = try mine.sendReserved(request)
    #expect(time.sleeps.count == 1)
  }

  @Test(arguments: [(30, 0), (45, 0), (60, 0), (3600, 0), (5, 3)])
  func onlyCallOfWindowThatIsRunningCanBeKept(seconds: Int, used: Int) throws {
    time.advance(by: .seconds(20))
    let transport = limited(ScriptedTransport(Response(200)))
    for _ in 0..<used { _ = try transport.send(request) }
    #expect(try !transport.reserve(request.url, ahead: .seconds(seconds)))
    #expect(try transport.remaining(request.url) == 3 - used)
  }

  @Test func aSlidingWindowKeepsNone() throws {
    let transport = limited(ScriptedTransport(Response(200)), .sliding(3, per: .seconds(60)))
    #expect(try !transport.reserve(request.url, ahead: .zero))
    #expect(try transport.remaining(request.url) == 3)
  }

  @Test func aReservedCallIsOfItsWindow() throws {
    let transport = limited(ScriptedTransport(Response(200)))
    #expect(try transport.reserve(request.url, ahead: .seconds(20)))
    time.advance(by: .seconds(60))
    _ = try transport.sendReserved(request)
    #expect(try transport.remaining(request.url) == 2)
    #expect(time.sleeps.isEmpty)
  }

  @Test func reservedCallWaitsForClosedService() throws {
    let mine = limited(ScriptedTransport(Response(200)), .fixed(3, per: .seconds(60)), .zero)
    #expect(try mine.reserve(request.url, ahead: .seconds(20)))
    _ = try limited(ScriptedTransport(Response(429, headers: ["Retry-After": "30"]))).send(request)
    #expect { try mine.sendReserved(request) } throws: { ($0 as? Failure)?.kind == .rateLimited }
  }
}
