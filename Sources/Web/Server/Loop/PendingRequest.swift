import HTTP
import System

/// A request whose response may come in a later turn, with what was decided about it when it was read.
struct PendingRequest {
  let connection: Connection
  private(set) var routed: RoutedRequest
  /// The report of the server about itself that it requests.
  var report: SelfReport?
  var fault = FaultPlan.Draw()
  let start: Duration

  var request: ReceivedRequest { routed.request }
  var backend: Int? { routed.backend }

  /// Returns a copy whose request may be kept (`ReceivedRequest.detached`).
  var detached: PendingRequest {
    var kept = self
    kept.routed = routed.detached
    return kept
  }
}

/// The requests that were given to the workers, until their results are back.
final class SubmittedRequests {
  let pool: WorkerPool
  private var pending: [Int: PendingRequest] = [:]
  private var lastNumber = 0

  init(_ pool: WorkerPool) {
    self.pool = pool
  }

  func submit(_ request: PendingRequest, mayWrite: Bool) {
    lastNumber += 1
    pending[lastNumber] = request
    pool.submit(.init(number: lastNumber, request: request.routed), mayWrite: mayWrite)
  }

  /// The finished requests with their results.
  func takeResults() -> [(PendingRequest, WorkerPool.Result)] {
    pool.takeResults().compactMap { result in
      pending.removeValue(forKey: result.number).map { ($0, result) }
    }
  }

  /// Removes the requests from before `instant` that no worker has begun.
  func removeExpired(before instant: Duration) -> [PendingRequest] {
    let expired = Set(pending.lazy.filter { $0.value.start < instant }.map(\.key))
    return pool.remove(expired).compactMap { pending.removeValue(forKey: $0) }
  }
}
