import Foundation
import Glibc
import System
import TestSupport
import Testing

@testable import HTTP

/// Each in a process of its own, which from then on does nothing but stop.
@Suite struct InterruptedTests {
  @Test func signalEndsRequestOfEachTransport() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchDirectory()
      let (_, port) = try Loopback.listen()
      let request = Request(.get, URL(scheme: .http, host: "127.0.0.1", port: port))
      Interruption.install()
      Interruption.allowLongCleanUp()
      InterruptedTests.unblock(SIGTERM)
      _ = Glibc.raise(SIGTERM)

      // A cache, a recording or a backend in the process responds without a wait.
      let service = ScriptedTransport(.text(200, "1", headers: ["Cache-Control": "max-age=60"]))
      let endpoint = Endpoint(request.url, service)
      #expect(throws: Interruption.failure) {
        try endpoint.get("/x") { json throws(Failure) in try json.int }
      }
      #expect(service.requests.isEmpty)
      let cached = CachingTransport(
        service, folder: scratch.file("cache"), time: FakeClock(),
        report: { _ in })
      #expect(throws: Interruption.failure) { try cached.send(request) }

      let socket = SocketTransport(limits: TimeLimits(), time: SystemTime())
      #expect(throws: Interruption.failure) { try socket.send(request) }
      // A name for the resolver, which needs no network for this one.
      let named = Request(.get, URL(scheme: .http, host: "127.1", port: port))
      #expect(throws: Interruption.failure) { try socket.send(named) }
      if Tool.libcurl.isPresent {
        let curl = CurlTransport(environment: Environment([:]), limits: TimeLimits(), time: SystemTime())
        #expect(throws: Interruption.failure) { try curl.send(request) }
      }
    }
  }

  /// It is no reason to count calls without the others.
  @Test func signalEndsWaitForRateLedger() async {
    await #expect(processExitsWith: .success) {
      let scratch = try ScratchDirectory()
      let lock = try LockedFile(scratch.file("host.rate"))
      let service = ScriptedTransport(Response(200))
      let notes = RecordedMessages()
      let limited = RateLimitingTransport(
        service, limit: .fixed(1, per: .seconds(60)), ledgersIn: scratch.path,
        deadline: nil, time: FakeClock(), report: notes.add)
      Interruption.install()
      Interruption.allowLongCleanUp()
      InterruptedTests.interrupting {
        #expect(throws: Interruption.failure) { try limited.send(.get("https://host/")) }
      }
      #expect(service.requests.isEmpty && notes.lines.isEmpty)
      _ = consume lock
    }
  }

  /// So that a signal to this thread arrives at once.
  private static func unblock(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Interrupts this thread. The signal may arrive before the call that waits, and a second one would end the process,
  /// so another signal follows, which ends calls and does nothing else.
  private static func interrupting(_ work: () -> Void) {
    for number in [SIGTERM, SIGUSR1] { unblock(number) }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR1, &action, nil)
    let (waiting, isOver) = (pthread_self(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      pthread_kill(waiting, SIGTERM)
      while isOver.wait(timeout: .now() + .milliseconds(5)) == .timedOut { pthread_kill(waiting, SIGUSR1) }
    }
    work()
    isOver.signal()
  }
}
