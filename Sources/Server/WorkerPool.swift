import HTTP
import Store
import System

/// Runs the handlers of backends whose store may block for long, such as a database on another machine, on threads of
/// their own, so that the event loop never waits for it.
///
/// Each worker has its own router, and with it its own connection to the store. The first one gets every request that
/// may write, so that the requests that arrive during one commit share the next one, and no two transactions of a
/// process wait for each other. The others share the requests that read.
///
/// A batch that fails because of other writers (a lock, a conflict, a lost connection) leaves nothing behind and runs
/// again. No response leaves a worker before the commit of its batch.
public final class WorkerPool {
  /// The request of a connection that waits for its response.
  struct Job: Sendable {
    let number: Int
    let request: ReceivedRequest
  }

  struct Result: Sendable {
    let number: Int
    let response: Response
    let failure: Failure?
  }

  private struct Worker {
    let work: BackgroundWork<[Job], [Result]>
    var isBusy = false
  }

  private var workers: [Worker] = []
  /// What no worker has begun: the jobs that may write, and those that read.
  private var writes: [Job] = []
  private var reads: [Job] = []

  /// One commit for this many writes at most. A response waits for all of its batch.
  private static let writesPerBatch = 64
  private static let readsPerBatch = 16

  /// `router` is called once for each worker. Each router must have handlers and a store connection of its own; only its
  /// worker uses it from then on.
  public init(
    readers: Int, time: any TimeKeeper, _ router: () throws(Failure) -> Router
  ) throws(Failure) {
    for _ in 0...max(1, readers) {
      let batches = UncheckedTransfer(BatchRunner(try router(), time))
      do throws(SystemError) {
        workers.append(Worker(work: try BackgroundWork { batches.value.run($0) }))
      } catch {
        throw Failure(.storage, "cannot make a pipe: \(error.text)")
      }
    }
  }

  /// One descriptor for each worker, readable while the worker has results.
  var descriptors: [FileDescriptor] { workers.map(\.work.descriptor) }

  /// Queues a job until `dispatch`. `mayWrite` chooses the worker.
  func submit(_ job: Job, mayWrite: Bool) {
    if mayWrite { writes.append(job) } else { reads.append(job) }
  }

  /// Removes the jobs that no worker has begun and that `isExpired`, and returns their numbers.
  func removeExpired(_ isExpired: (Int) -> Bool) -> [Int] {
    let expired = (writes + reads).map(\.number).filter(isExpired)
    guard !expired.isEmpty else { return [] }
    writes.removeAll { expired.contains($0.number) }
    reads.removeAll { expired.contains($0.number) }
    return expired
  }

  /// Gives each idle worker its next batch.
  func dispatch() {
    for index in workers.indices where !workers[index].isBusy {
      let batch =
        index == 0
        ? WorkerPool.take(WorkerPool.writesPerBatch, from: &writes)
        : WorkerPool.take(WorkerPool.readsPerBatch, from: &reads)
      guard !batch.isEmpty else { continue }
      workers[index].isBusy = true
      workers[index].work.submit(batch)
    }
  }

  private static func take(_ limit: Int, from queue: inout [Job]) -> [Job] {
    let batch = Array(queue.prefix(limit))
    queue.removeFirst(batch.count)
    return batch
  }

  /// The results of the batches that have ended, which makes their workers idle.
  func takeResults() -> [Result] {
    var results: [Result] = []
    for index in workers.indices where workers[index].isBusy {
      guard let batch = workers[index].work.next() else { continue }
      workers[index].isBusy = false
      results += batch
    }
    return results
  }
}

/// Runs batches of requests against one router, on whichever thread calls it, one batch after the other.
final class BatchRunner {
  private typealias Outcome = (response: Response, failure: Failure?, backend: Int?)

  private let router: Router
  private let time: any TimeKeeper

  /// A batch is tried this often; then each of its requests gets one attempt of its own, so that one that always fails
  /// does not fail the others.
  private static let attempts = 5

  init(_ router: Router, _ time: any TimeKeeper) {
    self.router = router
    self.time = time
  }

  /// A job to run again. It has left nothing behind.
  private typealias Retry = (job: WorkerPool.Job, failure: Failure, backend: Int?)

  func run(_ jobs: [WorkerPool.Job]) -> [WorkerPool.Result] {
    var results: [WorkerPool.Result] = []
    var open = jobs
    for attempt in 1...BatchRunner.attempts where !open.isEmpty {
      if attempt > 1 { pause(before: attempt) }
      open = runTogether(open, &results).map(\.job)
    }
    for job in open {
      for (job, failure, backend) in runTogether([job], &results) {
        results.append(result(job, failure, backend))
      }
    }
    return results
  }

  /// Twice as long after each attempt, and not the same for two processes that got in each other's way.
  private func pause(before attempt: Int) {
    // A signal ends the pause early, which does no harm.
    try? time.sleep(for: .milliseconds(Int64.random(in: 1...(1 << (2 * attempt)))))
  }

  /// Runs the jobs in one transaction, appends the results, and returns the jobs that have none yet.
  private func runTogether(
    _ jobs: [WorkerPool.Job], _ results: inout [WorkerPool.Result]
  ) -> [Retry] {
    let outcomes = jobs.map { respond(to: $0.request) }
    if case (_, let failure?, let backend)? = outcomes.first(where: { $0.failure?.failsBatch ?? false }) {
      for backend in router.backends { backend.rollback?() }
      return jobs.map { ($0, failure, backend) }
    }
    var failures: [Int: Failure] = [:]
    for backend in Set(outcomes.compactMap(\.backend)) { failures[backend] = router.commit(backend) }
    var again: [Retry] = []
    for (job, outcome) in zip(jobs, outcomes) {
      if let failure = outcome.backend.flatMap({ failures[$0] }) {
        // If the commit may have happened, only a request with a key can be repeated: the key finds its response.
        if failure.isTransient, !failure.outcomeUnknown || job.request.isRepeatable {
          again.append((job, failure, outcome.backend))
        } else {
          results.append(result(job, failure, outcome.backend))
        }
      } else if let failure = outcome.failure, failure.isContended {
        // It has changed nothing, and waits for its row when it comes first.
        again.append((job, failure, outcome.backend))
      } else {
        results.append(.init(number: job.number, response: outcome.response, failure: outcome.failure))
      }
    }
    return again
  }

  private func respond(to request: ReceivedRequest) -> Outcome {
    let resolution = router.resolve(request)
    let (response, failure) = router.respond(request, resolution)
    return (response, failure, router.backend(of: resolution))
  }

  private func result(_ job: WorkerPool.Job, _ failure: Failure, _ backend: Int?) -> WorkerPool.Result {
    let response = router.errorResponse(uncommitted: failure, backend: backend)
    return .init(number: job.number, response: response, failure: failure)
  }
}

extension Failure {
  /// The store could not be used at that moment: another process held a lock, or the connection was lost. Nothing was
  /// changed, unless the outcome is unknown.
  var isTransient: Bool { kind == .storage && retryable }

  /// The transaction that it happened in cannot go on.
  fileprivate var failsBatch: Bool { isTransient && !isContended }
}

extension ReceivedRequest {
  var isRead: Bool { method == .get || method == .head || method == .options }

  /// Whether handling it twice has the effect of handling it once.
  fileprivate var isRepeatable: Bool { isRead || header("Idempotency-Key") != nil }
}
