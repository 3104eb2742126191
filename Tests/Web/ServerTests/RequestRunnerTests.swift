import HTTP
import Store
import Synchronization
import System
import TestSupport
import Testing

@testable import Server

/// Changes that run together: what each of their requests receives, and what is stored.
@Suite struct RequestRunnerTests {
  private let script: Script
  private let router: Router

  init() throws {
    script = try Script()
    router = Router([script.backend()])
  }

  private func call(_ path: String, in router: Router? = nil, _ headers: Headers = [:]) throws -> Call {
    let router = router ?? self.router
    let url = URL(scheme: .http, host: "localhost", path: path)
    return try router.runner.admit(router.route(try ReceivedRequest(Request(.put, url, headers: headers))))
  }

  private func statuses(_ names: String...) throws -> [Int] {
    let calls = try names.map { try call("/write/\($0)") }
    return router.runner.change(calls, of: 0).map(\.outcome.response.status)
  }

  private var state: Script.State { script.state.withLock { $0 } }

  private static let conflict = Failure(
    .storage, "conflict", retryable: true, cause: .storage(isRolledBack: true))

  /// A failure of the handler of `b`, and what becomes of the requests beside it.
  @Test(
    arguments: [
      // Its own part is undone.
      (Failure(.conflict, "no"), [200, 409, 200], 1, ["a", "c"]),
      (Failure(.storage, "full", cause: .storage(.full)), [200, 507, 200], 1, ["a", "c"]),
      // It needs a transaction of its own, and fails there too.
      (
        Failure(.storage, "row", retryable: true, cause: .storage(.contended)), [200, 503, 200], 2,
        ["a", "c"]
      ),
      // The transaction cannot go on: its requests run one by one.
      (RequestRunnerTests.conflict, [200, 503, 200], 4, ["a", "c"]),
      // Nobody can use the store.
      (
        Failure(.storage, "lost", retryable: true, cause: .storage(.unavailable, isRolledBack: true)),
        [503, 503, 503], 1, []
      ),
      (Script.locked, [503, 503, 503], 1, []),
    ] as [(Failure, [Int], Int, [String])])
  func failingHandlerAffectsOthersAsLittleAsPossible(
    failure: Failure, statuses: [Int], transactions: Int, stored: [String]
  ) throws {
    script.state.withLock { $0.failures["b"] = failure }
    #expect(try self.statuses("a", "b", "c") == statuses)
    #expect(state.begun == transactions && state.stored == stored)
  }

  /// A failure of the first commit.
  @Test(
    arguments: [
      (RequestRunnerTests.conflict, [200, 200], ["a", "b"]),
      (Failure(.usage, "a value cannot be stored"), [200, 200], ["a", "b"]),
      (Failure(.storage, "full", cause: .storage(.full)), [507, 507], []),
      // What may have been stored is not done again.
      (Failure(.storage, "lost", retryable: true, outcomeUnknown: true), [503, 503], ["a", "b"]),
    ] as [(Failure, [Int], [String])])
  func failedCommitLeavesNothingHalfDone(failure: Failure, statuses: [Int], stored: [String]) throws {
    script.state.withLock { $0.commitFailures = [failure] }
    #expect(try self.statuses("a", "b") == statuses)
    #expect(state.stored == stored)
    #expect(state.ends == [false] + (stored.isEmpty || failure.outcomeUnknown ? [] : [true, true]))
  }

  @Test func onlySeveralChangesArePrepared() throws {
    #expect(try statuses("a") == [200])
    #expect(state.prepared == [])
    #expect(try statuses("a", "b") == [200, 200])
    #expect(state.prepared == [["a", "b"]] && state.begun == 2 && state.ends == [true, true])
  }

  @Test func storeLockedByAnotherProcessRunsNoHandler() throws {
    script.state.withLock { $0.locked = 1 }
    let calls = [try call("/write/a"), try call("/write/b")]
    let results = router.runner.change(calls, of: 0)
    for result in results {
      guard case .locked(let outcome) = result else { return #expect(Bool(false), "\(result)") }
      #expect(outcome.failure == Script.locked && outcome.response.status == 503)
    }
    #expect(results.count == 2 && state.handled == [] && state.ends == [])
  }

  /// A conflict is repeated by the database alone, with the requests as they were routed and admitted once.
  @Test(.needs(.libsqlite3)) func conflictIsRepeatedByDatabaseOnly() throws {
    let time = FakeClock()
    let database = try Database(.memory, time: time)
    try database.run("CREATE TABLE t (name TEXT)")
    let table = try UserTable(.memory(time: time))
    let ann = User("ann", isAdmin: false)
    try table.add(.init(user: ann, added: Timestamp(seconds: 0)), token: "secret")
    var (conflicts, callers): (Int, [String]) = (0, [])
    let route = Route(.put, "/write/:name") { call throws(Failure) in
      try database.run("INSERT INTO t VALUES (?)", [.text(call["name"])])
      callers.append(call.caller.user?.name ?? "-")
      // Another process removes the user meanwhile: that counts from the next request on.
      try table.remove("ann", at: Timestamp(seconds: 0))
      throw RequestRunnerTests.conflict
    }
    let again = Route(.put, "/again/:name") { call throws(Failure) in
      try database.run("INSERT INTO t VALUES (?)", [.text(call["name"])])
      callers.append(call.caller.user?.name ?? "-")
      conflicts += 1
      if conflicts < 4 { throw RequestRunnerTests.conflict }
      return Response(200)
    }
    var backend = ScriptedBackend("sample", routes: [route, again])
    var ends: [Bool] = []
    backend.runTransaction = database.transaction
    backend.onTransactionEnd = { ends.append($0) }
    let router = Router([backend], access: Access(table, isPublic: true, publicSuites: []))
    let token: Headers = ["X-Authorization": "secret"]
    let calls = [try call("/again/a", in: router, token), try call("/again/b", in: router, token)]
    #expect(router.runner.change(calls, of: 0).map(\.outcome.user) == ["ann", "ann"])
    #expect(callers.count == 5 && ends == [false, false, false, true] && time.sleeps.count == 3)
    let names = try database.rows("SELECT name FROM t") { row throws(Failure) in try row[0].text }
    #expect(names == ["a", "b"])
    #expect(throws: RequestRunner.Refusal.self) { try call("/write/c", in: router) }
  }
}
