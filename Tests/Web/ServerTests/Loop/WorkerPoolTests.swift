import HTTP
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

private func runner(_ backends: any Backend...) -> RequestRunner { RequestRunner(backends) }

@Suite struct WorkerPoolTests {
  private let script: Script
  private let served: SteppedServer

  init() throws {
    let script = try Script()
    self.script = script
    let workers = try WorkerPool(readers: 1) { runner(script.backend()) }
    served = try SteppedServer([RouteList(script.backend())], workers: workers)
  }

  @Test func slowHandlerDoesNotDelayOtherRequests() throws {
    let slow = try served.connect()
    let quick = try served.connect()
    try served.say(put("/slow"), slow)
    try served.say("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", quick)
    try served.say("GET /read HTTP/1.1\r\nHost: a\r\n\r\n", quick)
    try served.wait(for: 2, quick)
    #expect(quick.statuses == [404, 200])
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
    let (begun, stored) = script.state.withLock { ($0.begun, $0.stored.count) }
    #expect(begun == 2 && stored == 6)
  }

  /// The first worker alone writes, and does not read.
  @Test func onlyOneWorkerWrites() throws {
    let made = Mutex(0)
    let writers = Mutex<[Int]>([])
    let readers = Mutex<[Int]>([])
    func backend(_ number: Int) -> ScriptedBackend {
      ScriptedBackend(
        "stored",
        routes: [
          Route(.get, "/read") { _ in
            readers.withLock { $0.append(number) }
            return Response(200)
          },
          Route(.put, "/write") { _ in
            writers.withLock { $0.append(number) }
            return Response(200)
          },
        ])
    }
    let workers = try WorkerPool(readers: 2) {
      let number = made.withLock { made in
        defer { made += 1 }
        return made
      }
      return runner(backend(number))
    }
    #expect(made.withLock { $0 } == 3)
    let stepped = try SteppedServer([RouteList(backend(9))], workers: workers)
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
    func backends(_ number: Int) -> [any Backend] {
      [("stored", false), ("both", true)].map { suite, hasMemory in
        let handler: Route.Handler = { _ in Response(200, body: Array("\(number)".utf8)) }
        var backend = ScriptedBackend(
          suite,
          routes: [Route(.get, "/\(suite)", handler: handler), Route(.put, "/\(suite)", handler: handler)])
        backend.hasMemory = hasMemory
        return backend
      }
    }
    let workers = try WorkerPool(readers: 1) {
      let number = made.withLock { made in
        made += 1
        return made
      }
      return RequestRunner(backends(number))
    }
    let stepped = try SteppedServer(backends(0).map(RouteList.init), workers: workers)
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
    try served.say(requests[0] + "GET /read HTTP/1.1\r\nHost: a\r\n\r\n" + requests[1] + requests[2], client)
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
  @Test func requestNotStartedByWorkerInTenSecondsReceives503() throws {
    let (first, second) = (try served.connect(), try served.connect())
    try served.say(put("/slow"), first)
    try served.say(put("/write/late"), second)
    served.time.advance(by: .seconds(10))
    try served.hear(second)
    #expect(second.statuses == [])
    served.time.advance(by: .seconds(1))
    try served.wait(for: 1, second)
    #expect(second.statuses == [503])
    #expect(second.has("Retry-After: 1"))
    try script.release()
    try served.wait(for: 1, first)
    #expect(first.statuses == [200])
    #expect(script.state.withLock { $0.handled } == [])
  }

  /// The requests that wait hold their own bytes only, and all of them together no more than the limit.
  @Test func waitingRequestsTakeBoundedMemory() throws {
    let workers = try WorkerPool(readers: 1) { runner(script.backend()) }
    let served = try SteppedServer([RouteList(script.backend())], workers: workers) {
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
    try WorkerPool(readers: readers) { runner(script.backend()) }
  }

  private func submit(_ numbers: ClosedRange<Int>, mayWrite: Bool, to pool: WorkerPool) throws {
    for number in numbers {
      let url = URL(scheme: .http, host: "localhost", path: mayWrite ? "/write/a" : "/read")
      let request = try ReceivedRequest(Request(mayWrite ? .put : .get, url))
      let routed = Router([script.backend()]).route(request)
      pool.submit(WorkerPool.Job(number: number, request: routed), mayWrite: mayWrite)
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
