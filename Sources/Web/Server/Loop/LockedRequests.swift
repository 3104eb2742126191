import System

/// The requests that met a lock of another process, in the order of their arrival. They run again until the lock is
/// gone or they have waited too long.
struct LockedRequests {
  private var waiting: [PendingRequest] = []
  private var lastAttempt = Duration.zero

  private static let interval = Duration.milliseconds(5)
  private static let timeout = Duration.seconds(5)

  mutating func append(_ pending: PendingRequest) { waiting.append(pending) }

  /// When they are to run again; nil if there are none.
  var nextAttempt: Duration? { waiting.isEmpty ? nil : lastAttempt + LockedRequests.interval }

  /// Runs them again if they are due. Returns those that need not run once more: with their outcome, or without one
  /// if the client has gone. One that has met nothing but locks for too long ends with the
  /// failure of the lock.
  mutating func retry(
    at now: Duration, _ respond: (PendingRequest) -> Router.Outcome
  ) -> [(PendingRequest, Router.Outcome?)] {
    guard let due = nextAttempt, due <= now else { return [] }
    lastAttempt = now
    let all = waiting
    waiting = []
    var ended: [(PendingRequest, Router.Outcome?)] = []
    // If one meets the lock, then so would the others of the same store.
    var lockedBackends: Set<Int?> = []
    for pending in all {
      guard pending.connection.state != .closed else {
        ended.append((pending, nil))
        continue
      }
      let isExpired = now - pending.start >= LockedRequests.timeout
      if lockedBackends.contains(pending.backend), !isExpired {
        waiting.append(pending)
        continue
      }
      let outcome = respond(pending)
      if let failure = outcome.failure, failure.cause == .unfinished || failure.mayRunAgain && !isExpired {
        if failure.cause != .unfinished { lockedBackends.insert(pending.backend) }
        waiting.append(pending)
      } else {
        ended.append((pending, outcome))
      }
    }
    return ended
  }
}
