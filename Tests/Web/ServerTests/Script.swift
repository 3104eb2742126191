import HTTP
import Server
import Synchronization
import System
import TestSupport

/// What a backend of these tests has done, and what it is to do.
final class Script: Sendable {
  struct State {
    var handled: [String] = []
    /// The handled requests that the open transaction would store, and the stored ones.
    var changes: [String] = []
    var stored: [String] = []
    /// How often a transaction was begun, and how its runs ended.
    var begun = 0
    var ends: [Bool] = []
    /// The failures of the next commits.
    var commitFailures: [Failure] = []
    /// The failures of the next handlers with these names.
    var failures: [String: Failure] = [:]
    /// What each batch was prepared for.
    var prepared: [[String]] = []
    /// So many transactions cannot begin, since another process has locked the store.
    var locked = 0
    var isOpen = false
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

  func backend(_ suite: String = "stored") -> ScriptedBackend {
    var backend = ScriptedBackend(
      suite,
      routes: [
        Route(.get, "/read") { _ in Response(200, body: Array("read".utf8)) },
        Route(.put, "/write/:name") { call throws(Failure) in
          let name = call["name"]
          return try self.state.withLock { state throws(Failure) in
            state.handled.append(name)
            state.changes.append(name)
            if let failure = state.failures[name] { throw failure }
            return Response(200, body: Array(name.utf8))
          }
        },
        Route(.put, "/slow") { _ in
          _ = try? self.gate.reader.read(atMost: 1)
          self.state.withLock { $0.changes.append("slow") }
          return Response(200, body: Array("slow".utf8))
        },
      ])
    backend.runTransaction = transaction
    backend.onPrepare = { calls in
      self.state.withLock { state in
        state.prepared.append(calls.map { $0.value(of: "name") ?? $0.request.path })
      }
    }
    backend.onTransactionEnd = { isCommitted in self.state.withLock { $0.ends.append(isCommitted) } }
    return backend
  }

  private func transaction(_ body: () throws(Failure) -> Void) throws(Failure) {
    let before = state.withLock { $0.isOpen ? $0.changes.count : nil }
    if before == nil { try begin() }
    do throws(Failure) {
      try body()
    } catch {
      state.withLock { state in
        state.changes.removeSubrange((before ?? 0)...)
        if before == nil { state.isOpen = false }
      }
      throw error
    }
    if before == nil { try commit() }
  }

  private func begin() throws(Failure) {
    try state.withLock { state throws(Failure) in
      state.begun += 1
      if state.locked > 0 {
        state.locked -= 1
        throw Script.locked
      }
      (state.isOpen, state.changes) = (true, [])
    }
  }

  private func commit() throws(Failure) {
    try state.withLock { state throws(Failure) in
      state.isOpen = false
      let failure = state.commitFailures.isEmpty ? nil : state.commitFailures.removeFirst()
      // Of a commit with an unknown outcome, the changes are there all the same.
      if failure?.outcomeUnknown ?? true { state.stored += state.changes }
      if let failure { throw failure }
    }
  }
}

func put(_ path: String) -> String { "PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n" }
