import System

/// The calls that the event loop runs itself, but not when their requests arrive.
///
/// The changes of a turn share one transaction, at its end. What met a lock of another process, or was done in part, runs
/// again after a pause.
struct DeferredCalls {
  typealias Deferred = (pending: PendingRequest, call: Call)
  typealias Ended = (pending: PendingRequest, outcome: Outcome)

  private var changes: [Deferred] = []
  /// In the order of their arrival.
  private var waiting: [Deferred] = []
  private var lastAttempt = Duration.zero

  private static let interval = Duration.milliseconds(5)
  private static let timeout = Duration.seconds(5)

  /// When the waiting calls run again; nil if there are none.
  var nextAttempt: Duration? { waiting.isEmpty ? nil : lastAttempt + DeferredCalls.interval }

  /// Adds a change that runs at the end of the turn.
  mutating func add(change: Deferred) { changes.append(change) }

  /// Adds a call that was run and has no result yet.
  mutating func add(waiting: Deferred) { self.waiting.append(waiting) }

  /// Removes the waiting calls whose clients have gone, if they are to run now.
  mutating func removeAbandoned(at now: Duration) -> [PendingRequest] {
    guard let nextAttempt, nextAttempt <= now else { return [] }
    let abandoned = waiting.filter { $0.pending.connection.state == .closed }
    if !abandoned.isEmpty { waiting.removeAll { $0.pending.connection.state == .closed } }
    return abandoned.map(\.pending)
  }

  /// Runs what is due, and returns what has ended. A lock that lasts too long ends the wait for it with a failure.
  mutating func run(_ runner: RequestRunner, at now: Duration) -> [Ended] {
    var due = changes
    changes.removeAll(keepingCapacity: true)
    if let nextAttempt, nextAttempt <= now {
      lastAttempt = now
      due = waiting + due
      waiting = []
    }
    var ended: [Ended] = []
    while var first = due.first {
      guard first.call.isChange else {
        let result = runner.read(&first.call)
        note(result, of: first, at: now, &ended)
        due.removeFirst()
        continue
      }
      let backend = first.call.backend
      let together = due.filter { $0.call.isChange && $0.call.backend == backend }
      due =
        due.count == together.count ? [] : due.filter { !($0.call.isChange && $0.call.backend == backend) }
      for (deferred, result) in zip(together, runner.change(together.map(\.call), of: backend)) {
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
