/// Calls that the event loop runs later than their requests arrive.
///
/// The changes of a turn share one transaction, at its end. Calls that met a lock of another process, or are partly
/// done, run again after a pause.
struct DeferredCalls {
  typealias Deferred = (pending: PendingRequest, call: Call)
  typealias Ended = (pending: PendingRequest, outcome: Outcome)

  private var changes: [Deferred] = []
  private var waiting: [Deferred] = []
  private var lastAttempt = Duration.zero

  private static let interval = Duration.milliseconds(5)
  private static let timeout = Duration.seconds(5)

  var nextAttempt: Duration? { waiting.isEmpty ? nil : lastAttempt + DeferredCalls.interval }

  mutating func add(change: Deferred) { changes.append(change) }

  mutating func add(waiting: Deferred) { self.waiting.append(waiting) }

  mutating func removeAbandoned(at now: Duration) -> [PendingRequest] {
    guard let nextAttempt, nextAttempt <= now else { return [] }
    let abandoned = waiting.filter { $0.pending.connection.state == .closed }
    if !abandoned.isEmpty { waiting.removeAll { $0.pending.connection.state == .closed } }
    return abandoned.map(\.pending)
  }

  /// Runs what is due, and returns what has ended. Fails a call whose lock lasts too long.
  mutating func run(_ runner: RequestRunner, at now: Duration) -> [Ended] {
    var due = changes
    changes.removeAll(keepingCapacity: true)
    if let nextAttempt, nextAttempt <= now {
      lastAttempt = now
      due = waiting + due
      waiting = []
    }
    guard !due.isEmpty else { return [] }
    var ended: [Ended] = []
    var changesByBackend: [Int: [Deferred]] = [:]
    for deferred in due {
      if deferred.call.isChange {
        changesByBackend[deferred.call.backend, default: []].append(deferred)
      } else {
        note(runner.read(deferred.call), of: deferred, at: now, &ended)
      }
    }
    for (backend, batch) in changesByBackend.sorted(by: { $0.key < $1.key }) {
      for (deferred, result) in zip(batch, runner.change(batch.map(\.call), of: backend)) {
        note(result, of: deferred, at: now, &ended)
      }
    }
    return ended
  }

  private mutating func note(
    _ result: RequestRunner.Result?, of deferred: Deferred, at now: Duration, _ ended: inout [Ended]
  ) {
    switch result {
    case .done(let outcome): ended.append((deferred.pending, outcome))
    case .locked(let outcome) where now - deferred.pending.start >= DeferredCalls.timeout:
      ended.append((deferred.pending, outcome))
    case .locked, nil: waiting.append(deferred)
    }
  }
}
