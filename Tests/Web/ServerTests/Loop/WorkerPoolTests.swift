import HTTP
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// What a backend of these tests has done, and what it is to do.
private final class Script: Sendable {
  struct State {
    var handled: [String] = []
    var changes = 0
    var committed = 0
    var commits = 0
    var rollbacks = 0
    /// The failures of the next commits.
    var commitFailures: [Failure] = []
    /// What each batch was prepared for.
    var prepared: [[String]] = []
    /// So many handlers fail as if the store were locked.
    var locked = 0
  }

  let state = Mutex(State())
  /// Handlers of `/slow` wait until this pipe can be read.
  let gate: Pipe

  init() throws { gate = try Pipe() }

  deinit {
    gate.reader.close()
    gate.writer.close()
  }

  static let locked = Failure(.storage, "locked", retryable: true)

  /// Opens the gate for one handler.
  func release() throws { try gate.writer.writeAll([0]) }

  func backend(_ suite: String = "stored", _ state: Backend.State = .store, rollsBack: Bool = true) -> Backend
  {
    let rollback = {
      self.state.withLock { state in
        state.rollbacks += 1
        state.changes = 0
      }
    }
    return Backend(
      suite, state: state,
      routes: [
        Route(.get, "/read") { _ in Response(200, body: Array("read".utf8)) },
        Route(.put, "/write/:name") { call throws(Failure) in
          let name = call["name"]
          return try self.state.withLock { state throws(Failure) in
            state.handled.append(name)
            if name == "poison" { throw Script.locked }
            if state.locked > 0 {
              state.locked -= 1
              throw Script.locked
            }
            state.changes += 1
            return Response(200, body: Array(name.utf8))
          }
        },
        Route(.put, "/slow") { _ in
          _ = try? self.gate.reader.read(atMost: 1)
          self.state.withLock { $0.changes += 1 }
          return Response(200, body: Array("slow".utf8))
        },
      ],
      commit: { () throws(Failure) in
        try self.state.withLock { state throws(Failure) in
          if state.changes == 0 { return }
          state.commits += 1
          if !state.commitFailures.isEmpty {
            let failure = state.commitFailures.removeFirst()
            // Of a commit with an unknown outcome, the changes are there all the same.
            if failure.outcomeUnknown { state.committed += state.changes }
            state.changes = 0
            throw failure
          }
          state.committed += state.changes
          state.changes = 0
        }
      },
      rollback: rollsBack ? rollback : nil,
      prepare: { calls in
        self.state.withLock { state in
          state.prepared.append(calls.map { $0.value(of: "name") ?? $0.request.path })
        }
      })
  }
}

private var other: Backend { Backend("other", routes: [Route(.get, "/other") { _ in Response(200) }]) }

private func put(_ path: String, _ header: String = "") -> String {
  "PUT \(path) HTTP/1.1\r\nHost: a\r\n\(header)Content-Length: 0\r\n\r\n"
}

@Suite struct WorkerPoolTests {
  private let script: Script
  private let served: SteppedServer

  init() throws {
    let script = try Script()
    self.script = script
    let workers = try WorkerPool(readers: 1, time: FakeClock()) { Router([script.backend()]) }
    served = try SteppedServer([script.backend().withoutHandlers, other], workers: workers)
  }

  @Test func slowHandlerDoesNotDelayOtherRequests() throws {
    let slow = try served.connect()
    let quick = try served.connect()
    try served.say(put("/slow"), slow)
    try served.say("GET /other HTTP/1.1\r\nHost: a\r\n\r\n", quick)
    try served.say("GET /read HTTP/1.1\r\nHost: a\r\n\r\n", quick)
    try served.wait(for: 2, quick)
    #expect(quick.statuses == [200, 200])
    #expect(slow.statuses == [])
    try script.release()
    try served.wait(for: 1, slow)
    #expect(slow.body == "slow")
  }

  @Test func writesDuringCommitShareTheNextCommit() throws {
    let first = try served.connect()
    try served.say(put("/slow"), first)
    let others = try (0..<5).map { index in
      let client = try served.connect()
      try served.say(put("/write/\(index)"), client)
      return client
    }
    try script.release()
    try served.wait(for: 1, first)
    for client in others { try served.wait(for: 1, client) }
    #expect(others.map(\.statuses) == Array(repeating: [200], count: 5))
    let (commits, committed) = script.state.withLock { ($0.commits, $0.committed) }
    #expect(commits == 2)
    #expect(committed == 6)
  }

  /// The first worker alone writes, and does not read.
  @Test func onlyOneWorkerWrites() throws {
    let made = Mutex(0)
    let writers = Mutex<[Int]>([])
    let readers = Mutex<[Int]>([])
    let workers = try WorkerPool(readers: 2, time: FakeClock()) {
      let number = made.withLock { made in
        defer { made += 1 }
        return made
      }
      return Router([
        Backend(
          "stored", state: .store,
          routes: [
            Route(.get, "/read") { _ in
              readers.withLock { $0.append(number) }
              return Response(200)
            },
            Route(.put, "/write") { _ in
              writers.withLock { $0.append(number) }
              return Response(200)
            },
          ], commit: { () throws(Failure) in })
      ])
    }
    #expect(made.withLock { $0 } == 3)
    let stored = Backend(
      "stored", state: .store,
      routes: [Route(.get, "/read") { _ in Response(500) }, Route(.put, "/write") { _ in Response(500) }]
    ).withoutHandlers
    let stepped = try SteppedServer([stored], workers: workers)
    let clients = try (0..<6).map { _ in try stepped.connect() }
    for round in 1...5 {
      for (index, client) in clients.enumerated() {
        let text = index < 3 ? put("/write") : "GET /read HTTP/1.1\r\nHost: a\r\n\r\n"
        _ = client.trySending(Array(text.utf8)[...])
      }
      for client in clients { try stepped.wait(for: round, client) }
    }
    #expect(clients.allSatisfy { $0.statuses == [200, 200, 200, 200, 200] })
    #expect(writers.withLock { $0 } == Array(repeating: 0, count: 15))
    #expect(readers.withLock { $0.count } == 15 && readers.withLock { !$0.contains(0) })
  }

  /// What a backend has in memory is that of the worker that writes, which then reads as well.
  @Test func aBackendWithMemoryIsReadByTheWriter() throws {
    let made = Mutex(0)
    func backends(_ number: Int) -> [Backend] {
      let states: [(String, Backend.State)] = [("stored", .store), ("both", .storeAndMemory)]
      return states.map { suite, state in
        let handler: Route.Handler = { _ in Response(200, body: Array("\(number)".utf8)) }
        return Backend(
          suite, state: state,
          routes: [
            Route(.get, "/\(suite)", handler: handler), Route(.put, "/\(suite)", handler: handler),
          ])
      }
    }
    let workers = try WorkerPool(readers: 1, time: FakeClock()) {
      let number = made.withLock { made in
        made += 1
        return made
      }
      return Router(backends(number))
    }
    let stepped = try SteppedServer(backends(0).map(\.withoutHandlers), workers: workers)
    let client = try stepped.connect()
    var bodies: [String] = []
    for line in ["GET /stored", "GET /both", "PUT /stored", "PUT /both"] {
      try stepped.say("\(line) HTTP/1.1\r\nHost: a\r\n\r\n", client)
      try stepped.wait(for: bodies.count + 1, client)
      bodies.append(client.body)
    }
    #expect(client.statuses == [200, 200, 200, 200] && bodies == ["2", "1", "1", "1"])
  }

  @Test func pipelinedRequestsKeepTheirOrder() throws {
    let client = try served.connect()
    let requests = ["/write/a", "/slow", "/write/b"].map { put($0) }
    try served.say(requests[0] + "GET /other HTTP/1.1\r\nHost: a\r\n\r\n" + requests[1] + requests[2], client)
    try script.release()
    try served.wait(for: 4, client)
    #expect(client.statuses == [200, 200, 200, 200])
    #expect(script.state.withLock { $0.handled } == ["a", "b"])
    #expect(client.body == "b")
  }

  @Test func disconnectedClientDoesNotBlockWorker() throws {
    let client = try served.connect()
    try served.say(put("/slow"), client)
    client.close()
    try served.step()
    try script.release()
    let next = try served.connect()
    try served.say(put("/write/next"), next)
    try served.wait(for: 1, next)
    #expect(next.statuses == [200])
  }

  /// The worker hangs, so the second request is never begun.
  @Test func requestNotStartedByWorkerReceives503() throws {
    let (first, second) = (try served.connect(), try served.connect())
    try served.say(put("/slow"), first)
    try served.say(put("/write/late"), second)
    served.time.advance(by: .seconds(9))
    try served.step()
    #expect(second.statuses == [])
    served.time.advance(by: .seconds(3))
    try served.wait(for: 1, second)
    #expect(second.statuses == [503])
    #expect(second.has("Retry-After: 1"))
    try script.release()
    try served.wait(for: 1, first)
    #expect(first.statuses == [200])
    #expect(script.state.withLock { $0.handled } == [])
  }

  @Test func aRequestMayWaitTenSecondsForAWorker() throws {
    let (first, second) = (try served.connect(), try served.connect())
    try served.say(put("/slow"), first)
    try served.say(put("/write/late"), second)
    served.time.advance(by: .seconds(10))
    try served.hear(second)
    #expect(second.statuses == [])
    served.time.advance(by: .seconds(1))
    try served.wait(for: 1, second)
    #expect(second.statuses == [503])
    try script.release()
    try served.wait(for: 1, first)
    #expect(first.statuses == [200])
  }

  /// The requests that wait hold their own bytes only, and all of them together no more than the limit.
  @Test func waitingRequestsTakeBoundedMemory() throws {
    let workers = try WorkerPool(readers: 1, time: FakeClock()) { Router([script.backend()]) }
    let served = try SteppedServer([script.backend().withoutHandlers], workers: workers) {
      $0.incompleteLimit = 4200
    }
    let first = try served.connect()
    try served.say(put("/slow"), first)
    let body = String(repeating: "x", count: 1000)
    let others = try (0..<6).map { index in
      let client = try served.connect()
      try served.say(
        "PUT /write/\(index) HTTP/1.1\r\nHost: a\r\n\(Sample.json)Content-Length: 1000\r\n\r\n\(body)", client
      )
      return client
    }
    #expect(others.map(\.statuses) == [[], [], [], [503], [503], [503]])
    #expect(others[3].has("Retry-After: 1"))
    try script.release()
    for client in [first] + others { try served.wait(for: 1, client) }
    #expect(others.map(\.statuses) == [[200], [200], [200], [503], [503], [503]])
    // Their room is free again.
    try served.say(put("/write/next"), others[3])
    try served.wait(for: 2, others[3])
    #expect(others[3].statuses == [503, 200])
  }
}

/// The queues of a pool, without a server.
@Suite struct WorkerQueueTests {
  private let script: Script

  init() throws { script = try Script() }

  private func pool(readers: Int) throws -> WorkerPool {
    try WorkerPool(readers: readers, time: FakeClock()) { Router([script.backend()]) }
  }

  private func submit(_ numbers: ClosedRange<Int>, mayWrite: Bool, to pool: WorkerPool) throws {
    for number in numbers {
      let url = URL(scheme: .http, host: "localhost", path: mayWrite ? "/write/a" : "/read")
      let request = try ReceivedRequest(Request(mayWrite ? .put : .get, url))
      pool.submit(WorkerPool.Job(number: number, request: request), mayWrite: mayWrite)
    }
  }

  private func results(_ pool: WorkerPool) throws -> [Int] {
    try waitFor("results") {
      let results = pool.takeResults()
      return results.isEmpty ? nil : results.map(\.number)
    }
  }

  @Test(arguments: [(0, 2), (1, 2), (3, 4)])
  func thereIsOneWriterAndAtLeastOneReader(readers: Int, workers: Int) throws {
    #expect(try pool(readers: readers).descriptors.count == workers)
  }

  @Test(arguments: [
    (true, 130, [64, 64, 2]), (false, 35, [16, 16, 3]), (true, 64, [64]), (false, 17, [16, 1]),
  ])
  func batchSizeIsLimited(mayWrite: Bool, count: Int, sizes: [Int]) throws {
    let pool = try pool(readers: 1)
    try submit(1...count, mayWrite: mayWrite, to: pool)
    var numbers: [Int] = []
    for size in sizes {
      pool.dispatch()
      // The worker is busy.
      pool.dispatch()
      let batch = try results(pool)
      #expect(batch.count == size)
      numbers += batch
    }
    #expect(numbers == Array(1...count))
    pool.dispatch()
    #expect(pool.takeResults().isEmpty)
  }

  @Test func onlyUnstartedJobsCanBeRemoved() throws {
    let pool = try pool(readers: 1)
    try submit(1...2, mayWrite: true, to: pool)
    try submit(3...4, mayWrite: false, to: pool)
    #expect(pool.remove([2, 3, 9]) == [2, 3])
    #expect(pool.remove([2, 3, 9]) == [])
    pool.dispatch()
    #expect(pool.remove([1, 4]) == [], "they are begun")
    var numbers = try results(pool)
    if numbers.count < 2 { numbers += try results(pool) }
    #expect(numbers.sorted() == [1, 4])
  }
}

@Suite struct BatchRunnerTests {
  private let script: Script
  private let runner: BatchRunner

  init() throws {
    script = try Script()
    runner = BatchRunner(Router([script.backend(), other]), FakeClock())
  }

  private func job(
    _ number: Int, _ path: String, _ headers: Headers = [:], method: HTTP.Method = .put
  ) throws -> WorkerPool.Job {
    let url = URL(scheme: .http, host: "localhost", path: path)
    return WorkerPool.Job(
      number: number, request: try ReceivedRequest(Request(method, url, headers: headers)))
  }

  private func run(_ names: [String], keyed: Set<String> = []) throws -> [Int] {
    let jobs = try names.enumerated().map { number, name in
      try job(number, "/write/\(name)", keyed.contains(name) ? ["Idempotency-Key": name] : [:])
    }
    return runner.run(jobs).sorted { $0.number < $1.number }.map(\.outcome.response.status)
  }

  /// What one backend repeats or fails has no effect on the requests of another in the same batch.
  @Test(arguments: [Script.locked, Failure(.storage, "disk full")])
  func backendsOfOneBatchFailIndependently(_ commitFailure: Failure) throws {
    let second = try Script()
    let runner = BatchRunner(Router([script.backend(), second.backend("second")]), FakeClock())
    script.state.withLock { state in
      state.locked = 3
      state.commitFailures = [commitFailure]
    }
    let jobs = try ["/stored/write/a", "/second/write/b", "/stored/write/c", "/other"].enumerated()
      .map { try job($0, $1) }
    let statuses = runner.run(jobs).sorted { $0.number < $1.number }.map(\.outcome.response.status)
    let stored = commitFailure.retryable ? 200 : 500
    #expect(statuses == [stored, 200, stored, 404])
    let state = second.state.withLock { $0 }
    #expect(state.handled == ["b"])
    #expect(state.committed == 1)
    #expect(state.rollbacks == 0)
  }

  /// Its memory keeps what the other requests did.
  @Test func withoutRollbackOnlyTheLockedRequestRunsAgain() throws {
    let runner = BatchRunner(Router([script.backend(rollsBack: false)]), FakeClock())
    script.state.withLock { $0.locked = 1 }
    let jobs = try ["a", "b"].enumerated().map { try job($0, "/write/\($1)") }
    #expect(runner.run(jobs).allSatisfy { $0.outcome.response.status == 200 })
    #expect(script.state.withLock { $0.handled } == ["a", "b", "a"])
  }

  /// Each attempt is prepared anew, with its own requests.
  @Test func batchesArePrepared() throws {
    script.state.withLock { $0.locked = 1 }
    let jobs = try ["/stored/write/a", "/other", "/stored/slow", "/stored/none"].enumerated()
      .map { try job($0, $1) }
    try script.release()
    try script.release()
    #expect(runner.run(jobs).count == 4)
    #expect(script.state.withLock { $0.prepared } == [["a", "/stored/slow"], ["a", "/stored/slow"]])
  }

  @Test func failingRequestDoesNotFailItsBatch() throws {
    #expect(try run(["a", "poison", "b"]) == [200, 503, 200])
    #expect(script.state.withLock { $0.committed } == 2)
  }

  @Test func aBatchIsTriedFiveTimesAndThenOneByOne() throws {
    let time = FakeClock()
    let runner = BatchRunner(Router([script.backend()]), time)
    let jobs = try ["a", "poison", "b"].enumerated().map { try job($0, "/write/\($1)") }
    #expect(runner.run(jobs).count == 3)
    let state = script.state.withLock { $0 }
    #expect(state.handled.count == 18 && state.rollbacks == 6 && state.commits == 2)
    #expect(time.sleeps.count == 4)
    for (pause, most) in zip(time.sleeps, [16, 64, 256, 1024]) {
      #expect(pause >= .milliseconds(1) && pause <= .milliseconds(most))
    }
  }

  /// Each is drawn, up to four times as long as the one before.
  @Test func retryPausesGrow() throws {
    var longest = [Duration](repeating: .zero, count: 4)
    for _ in 0..<60 {
      let time = FakeClock()
      let runner = BatchRunner(Router([script.backend()]), time)
      #expect(runner.run([try job(0, "/write/poison")]).map(\.outcome.response.status) == [503])
      longest = zip(longest, time.sleeps).map { max($0, $1) }
    }
    // That all sixty are in the lower half does not happen.
    for (pause, most) in zip(longest, [16, 64, 256, 1024]) {
      #expect(pause > .milliseconds(most / 2) && pause <= .milliseconds(most))
    }
  }

  /// Its row is locked, and the others of its batch are committed.
  @Test func contendedRequestIsRetriedAlone() throws {
    let contended = Failure(.storage, "locked row", retryable: true, cause: .storage(.contended))
    var handled: [String] = []
    var (commits, rollbacks) = (0, 0)
    let backend = Backend(
      "stored", state: .store,
      routes: [
        Route(.put, "/write/:name") { call throws(Failure) in
          handled.append(call["name"])
          if handled == ["a", "b"] { throw contended }
          return Response(200)
        }
      ], commit: { () throws(Failure) in commits += 1 }, rollback: { rollbacks += 1 })
    let time = FakeClock()
    let runner = BatchRunner(Router([backend]), time)
    let jobs = try ["a", "b", "c"].enumerated().map { try job($0, "/write/\($1)") }
    #expect(runner.run(jobs).map(\.outcome.response.status) == [200, 200, 200])
    #expect(handled == ["a", "b", "c", "b"])
    #expect(commits == 2 && rollbacks == 0 && time.sleeps.count == 1)
  }

  /// One request alone reads what it needs itself, and one that reads changes nothing.
  @Test func onlySeveralRequestsArePrepared() throws {
    let read = WorkerPool.Job(
      number: 7,
      request: try ReceivedRequest(
        Request(.get, URL(scheme: .http, host: "localhost", path: "/stored/read"))))
    #expect(runner.run([try job(0, "/write/a")]).count == 1)
    #expect(script.state.withLock { $0.prepared } == [])
    #expect(runner.run([try job(0, "/write/a"), read]).count == 2)
    #expect(script.state.withLock { $0.prepared } == [["a"]])
  }

  @Test(.needs(.libsqlite3))
  func unauthorizedRequestIsNotPrepared() throws {
    let table = try UserTable(.memory(time: FakeClock()))
    try table.add(.init(user: User("ann", isAdmin: false), added: Timestamp(seconds: 0)), token: "secret")
    let access = Access(table, isPublic: true, publicSuites: [])
    let runner = BatchRunner(Router([script.backend().guarded(by: access)]), FakeClock())
    let token: Headers = ["X-Authorization": "secret"]
    let jobs = [
      try job(0, "/write/a", token), try job(1, "/write/b"), try job(2, "/write/c", token),
    ]
    let results = runner.run(jobs).sorted { $0.number < $1.number }
    #expect(results.map(\.outcome.response.status) == [200, 401, 200])
    #expect(results.map(\.outcome.user) == ["ann", nil, "ann"])
    let state = script.state.withLock { $0 }
    #expect(state.prepared == [["a", "c"]] && state.handled == ["a", "c"])
  }

  @Test func aConflictAtCommitRunsTheBatchAgain() throws {
    script.state.withLock { $0.commitFailures = [Script.locked, Script.locked] }
    #expect(try run(["a", "b"]) == [200, 200])
    #expect(script.state.withLock { $0.committed } == 2)
  }

  @Test func aFailedCommitFailsItsRequestsOnce() throws {
    script.state.withLock { $0.commitFailures = [Failure(.storage, "disk full")] }
    #expect(try run(["a", "b"]) == [500, 500])
    #expect(script.state.withLock { $0.handled } == ["a", "b"])
  }

  /// Without a key, a second attempt could do twice what was done already.
  @Test func unknownOutcomeIsRetriedOnlyWithIdempotencyKey() throws {
    var lost = Script.locked
    lost.outcomeUnknown = true
    script.state.withLock { $0.commitFailures = [lost] }
    #expect(try run(["keyed", "bare"], keyed: ["keyed"]) == [200, 503])
    #expect(script.state.withLock { $0.handled } == ["keyed", "bare", "keyed"])
  }

  /// The repetitions changed nothing, but the first attempt may have.
  @Test func failedRetriesKeepOutcomeUnknown() throws {
    var lost = Script.locked
    lost.outcomeUnknown = true
    let failures = [lost] + Array(repeating: Script.locked, count: 5)
    script.state.withLock { $0.commitFailures = failures }
    let runner = BatchRunner(Router([script.backend()]), FakeClock())
    let results = runner.run([try job(0, "/write/a", ["Idempotency-Key": "k"])])
    #expect(results.map(\.outcome.response.status) == [503])
    #expect(results.first?.outcome.failure?.outcomeUnknown == true)
    script.state.withLock { $0.commitFailures = Array(repeating: Script.locked, count: 6) }
    let known = runner.run([try job(1, "/write/b", ["Idempotency-Key": "l"])])
    #expect(known.first?.outcome.failure?.outcomeUnknown == false)
  }

  /// Its batch is undone, but what it did may have been stored.
  @Test func handlerWithUnknownOutcomeIsNotRetriedWithItsBatch() throws {
    let lost = Failure(.storage, "lost", retryable: true, outcomeUnknown: true)
    var handled: [String] = []
    let backend = Backend(
      "stored", state: .store,
      routes: [
        Route(.put, "/write/:name") { call throws(Failure) in
          handled.append(call["name"])
          if handled == ["a"] { throw Script.locked }
          if handled == ["a", "b"] { throw lost }
          return Response(200)
        }
      ], commit: { () throws(Failure) in }, rollback: {})
    let runner = BatchRunner(Router([backend]), FakeClock())
    let jobs = try ["a", "b"].enumerated().map { try job($0, "/write/\($1)") }
    let results = runner.run(jobs).sorted { $0.number < $1.number }
    #expect(results.map(\.outcome.response.status) == [200, 503])
    #expect(results.map(\.outcome.failure) == [nil, lost])
    #expect(handled == ["a", "b", "a"])
  }

  @Test func readIsRetriedAfterUnknownOutcome() throws {
    var lost = Script.locked
    lost.outcomeUnknown = true
    script.state.withLock { $0.commitFailures = [lost] }
    let jobs = [try job(0, "/write/bare"), try job(1, "/stored/read", method: .get)]
    let results = runner.run(jobs).sorted { $0.number < $1.number }
    #expect(results.map(\.outcome.response.status) == [503, 200])
    #expect(script.state.withLock { $0.handled } == ["bare"])
  }
}

/// A lock of another process, met by handlers in the event loop.
@Suite struct LockedStoreTests {
  @Test func lockedWriteWaitsWhileReadsAreServed() throws {
    let script = try Script()
    let served = try SteppedServer([script.backend()])
    script.state.withLock { $0.locked = 20 }
    let (writer, reader) = (try served.connect(), try served.connect())
    try served.say(put("/write/a") + put("/write/b"), writer)
    try served.say("GET /read HTTP/1.1\r\nHost: a\r\n\r\n", reader)
    #expect(reader.statuses == [200])
    #expect(writer.statuses == [])
    for _ in 0..<30 {
      served.time.advance(by: .milliseconds(5))
      try served.step()
    }
    try served.wait(for: 2, writer)
    #expect(writer.statuses == [200, 200])
    #expect(writer.body == "b")
    #expect(script.state.withLock { $0.committed } == 2)
  }

  private func step(_ served: SteppedServer, until isDone: () -> Bool) throws {
    for _ in 0..<1000 where !isDone() { try served.step(1) }
  }

  private func handled(_ script: Script) -> [String] { script.state.withLock { $0.handled } }

  /// A request that meets a lock: it ran when it came, and once more in the next turn.
  private func locked(_ script: Script) throws -> (SteppedServer, Client) {
    let served = try SteppedServer([script.backend()])
    script.state.withLock { $0.locked = 1_000_000 }
    let client = try served.connect()
    try served.say(put("/write/a"), client)
    try step(served) { handled(script).count == 2 }
    return (served, client)
  }

  @Test func aLockedRequestRunsAgainEveryFiveMilliseconds() throws {
    let script = try Script()
    let (served, client) = try locked(script)
    try served.step()
    #expect(handled(script) == ["a", "a"])
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 5)
    served.time.advance(by: .milliseconds(4))
    try served.step()
    #expect(handled(script).count == 2 && served.server.timeout(atMost: .milliseconds(700)) == 1)
    served.time.advance(by: .milliseconds(1))
    try served.step()
    #expect(handled(script).count == 3 && served.server.timeout(atMost: .milliseconds(700)) == 5)
    script.state.withLock { $0.locked = 0 }
    served.time.advance(by: .milliseconds(5))
    try served.wait(for: 1, client)
    #expect(client.statuses == [200] && handled(script).count == 4)
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 700)
  }

  @Test func atFiveSecondsTheWaitIsOver() throws {
    let script = try Script()
    let (served, client) = try locked(script)
    served.time.advance(by: .seconds(5))
    try served.hear(client)
    #expect(client.statuses == [503] && handled(script).count == 3)
  }

  /// If one request meets the lock, then so would the others of the same backend, which keep their order.
  @Test func lockHoldsUpOnlyItsBackend() throws {
    let (script, second) = (try Script(), try Script())
    let served = try SteppedServer([script.backend(), second.backend("second")])
    script.state.withLock { $0.locked = 1_000_000 }
    second.state.withLock { $0.locked = 1 }
    let clients = try (0..<3).map { _ in try served.connect() }
    try served.say(put("/stored/write/a"), clients[0])
    try step(served) { handled(script).count == 2 }
    try served.say(put("/stored/write/b"), clients[1])
    try step(served) { handled(script).count == 3 }
    try served.say(put("/second/write/x"), clients[2])
    try step(served) { handled(second).count == 1 }
    try served.step()
    #expect(handled(script) == ["a", "a", "b"] && handled(second) == ["x"])
    served.time.advance(by: .milliseconds(5))
    try served.wait(for: 1, clients[2])
    #expect(handled(script) == ["a", "a", "b", "a"] && handled(second) == ["x", "x"])
    #expect(clients.map(\.statuses) == [[], [], [200]])
    script.state.withLock { $0.locked = 0 }
    served.time.advance(by: .milliseconds(5))
    for client in clients { try served.wait(for: 1, client) }
    #expect(handled(script) == ["a", "a", "b", "a", "a", "b"])
    #expect(clients.map(\.statuses) == [[200], [200], [200]])
  }

  @Test func aLockedRequestThatJustFitsWaits() throws {
    let request = put("/write/a")
    for (limit, statuses) in [(request.utf8.count, []), (request.utf8.count - 1, [503])] {
      let script = try Script()
      let served = try SteppedServer([script.backend()]) { $0.incompleteLimit = limit }
      script.state.withLock { $0.locked = 1_000_000 }
      let client = try served.connect()
      try served.say(request, client)
      #expect(client.statuses == statuses)
    }
  }

  @Test func lockedRequestOfDisconnectedClientIsDropped() throws {
    let request = put("/write/a")
    let script = try Script()
    let served = try SteppedServer([script.backend()]) { $0.incompleteLimit = request.utf8.count }
    script.state.withLock { $0.locked = 1_000_000 }
    let (first, second) = (try served.connect(), try served.connect())
    try served.say(request, first)
    try step(served) { handled(script).count == 2 }
    try served.say(request, second)
    try served.wait(for: 1, second)
    #expect(second.statuses == [503] && second.has("Retry-After: 1"))
    let count = handled(script).count
    first.reset()
    try step(served) { served.server.connections.count == 1 }
    served.time.advance(by: .milliseconds(5))
    try served.step()
    #expect(handled(script).count == count)
    #expect(served.server.timeout(atMost: .milliseconds(700)) == 700)
    // Its room is free again.
    try served.say(request, second)
    #expect(second.statuses == [503])
    script.state.withLock { $0.locked = 0 }
    served.time.advance(by: .milliseconds(5))
    try served.wait(for: 2, second)
    #expect(second.statuses == [503, 200])
  }

  @Test func after5SecondsTheResponseIs503() throws {
    let script = try Script()
    let served = try SteppedServer([script.backend()])
    script.state.withLock { $0.locked = 1_000_000 }
    let client = try served.connect()
    try served.say(put("/write/a"), client)
    served.time.advance(by: .milliseconds(4990))
    try served.step()
    #expect(client.statuses == [])
    served.time.advance(by: .milliseconds(20))
    try served.wait(for: 1, client)
    #expect(client.statuses == [503])
    #expect(client.has("Retry-After: 1"))
    // The connection goes on.
    script.state.withLock { $0.locked = 0 }
    try served.say(put("/write/b"), client)
    try served.wait(for: 2, client)
    #expect(client.statuses == [503, 200])
  }

  @Test func requestRefusedForMemoryIsNotCommitted() throws {
    var commits = 0
    let route = Route(.put, "/a") { _ throws(Failure) in throw Script.locked }
    let backend = Backend("stored", routes: [route], commit: { () throws(Failure) in commits += 1 })
    let served = try SteppedServer([backend]) { $0.incompleteLimit = 0 }
    let client = try served.exchange(put("/a"))
    #expect(client.statuses == [503] && commits == 0)
  }
}
