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
    let outcome: Router.Outcome
  }

  private struct Worker {
    let work: BackgroundWork<[Job], [Result]>
    var isBusy = false
  }

  private var workers: [Worker] = []
  /// Waiting jobs: those that may write, and those that read.
  private var writes: [Job] = []
  private var reads: [Job] = []

  /// Maximum number of writes in one commit. A response waits for all of its batch.
  private static let writesPerBatch = 64
  private static let readsPerBatch = 16

  /// `router` is called once for each worker. Each router must have handlers and a store connection of its own; only its
  /// worker uses it from then on.
  public init(
    readers: Int, time: any TimeKeeper, _ router: () throws(Failure) -> Router
  ) throws(Failure) {
    for _ in 0...max(1, readers) {
      let batches = UncheckedTransfer(BatchRunner(try router(), time))
      workers.append(Worker(work: try BackgroundWork { batches.value.run($0) }))
    }
  }

  /// Descriptors of the workers, readable while a worker has results.
  var descriptors: [FileDescriptor] { workers.map(\.work.descriptor) }

  /// Queues a job until `dispatch`. `mayWrite` chooses the worker.
  func submit(_ job: Job, mayWrite: Bool) {
    if mayWrite { writes.append(job) } else { reads.append(job) }
  }

  /// Removes those of the jobs that no worker has begun, and returns their numbers.
  func remove(_ numbers: Set<Int>) -> [Int] {
    let removed = (writes + reads).map(\.number).filter(numbers.contains)
    writes.removeAll { numbers.contains($0.number) }
    reads.removeAll { numbers.contains($0.number) }
    return removed
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
///
/// The requests of each backend are a batch of their own: what one backend has to repeat concerns no other.
final class BatchRunner {
  private let router: Router
  private let time: any TimeKeeper

  /// A batch is tried this often; then each of its requests gets one attempt of its own, so that one that always fails
  /// does not fail the others.
  private static let attempts = 5

  init(_ router: Router, _ time: any TimeKeeper) {
    self.router = router
    self.time = time
  }

  private struct Step {
    let job: WorkerPool.Job
    let resolution: Router.Resolution
    /// An earlier attempt may have been committed.
    var outcomeUnknown = false
  }

  /// A request to run again, and why. It has left nothing behind.
  private typealias Retry = (step: Step, failure: Failure)

  func run(_ jobs: [WorkerPool.Job]) -> [WorkerPool.Result] {
    let steps = jobs.map { Step(job: $0, resolution: router.resolve($0.request)) }
    var results: [WorkerPool.Result] = []
    for (backend, steps) in Dictionary(grouping: steps, by: { router.backend(of: $0.resolution) }) {
      run(steps, of: backend, &results)
    }
    return results
  }

  private func run(_ steps: [Step], of backend: Int?, _ results: inout [WorkerPool.Result]) {
    var open = steps
    for attempt in 1...BatchRunner.attempts where !open.isEmpty {
      if attempt > 1 { pause(before: attempt) }
      open = runTogether(open, of: backend, &results).map(\.step)
    }
    for step in open {
      for (step, failure) in runTogether([step], of: backend, &results) {
        results.append(result(step, failure, backend))
      }
    }
  }

  /// Twice as long after each attempt, and not the same for two processes that got in each other's way.
  private func pause(before attempt: Int) {
    // A signal ends the pause early, which does no harm.
    try? time.sleep(for: .milliseconds(Int64.random(in: 1...(1 << (2 * attempt)))))
  }

  /// Runs requests of one backend in one transaction, appends the results, and returns the requests that have none yet.
  private func runTogether(
    _ steps: [Step], of backend: Int?, _ results: inout [WorkerPool.Result]
  ) -> [Retry] {
    if let backend { router.prepare(backend, for: steps.map { ($0.job.request, $0.resolution) }) }
    let outcomes = steps.map { router.respond($0.job.request, $0.resolution) }
    let rollback = backend.flatMap { router.backends[$0].rollback }
    if let rollback, let failure = outcomes.lazy.compactMap(\.failure).first(where: \.failsBatch) {
      rollback()
      // A handler whose own failure has an unknown outcome is repeated only if that has no second effect.
      return zip(steps, outcomes).compactMap { step, outcome in
        retry(step, outcome.failure.flatMap { $0.failsBatch ? $0 : nil } ?? failure, backend, &results)
      }
    }
    if let failure = backend.flatMap(router.commit) {
      return steps.compactMap { retry($0, failure, backend, &results) }
    }
    return zip(steps, outcomes).compactMap { step, outcome in
      // A request that met a lock has changed nothing, and waits for its row once it runs alone.
      if let failure = outcome.failure, failure.mayRunAgain {
        return retry(step, failure, backend, &results)
      }
      if let failure = outcome.failure, failure.kind == .storage, step.outcomeUnknown {
        results.append(result(step, failure, backend))
        return nil
      }
      results.append(.init(number: step.job.number, outcome: outcome))
      return nil
    }
  }

  /// The request, if it can run again after this failure; else its result is the failure.
  private func retry(
    _ step: Step, _ failure: Failure, _ backend: Int?, _ results: inout [WorkerPool.Result]
  ) -> Retry? {
    // If the commit may have happened, only a request with a key can be repeated: the key finds its response.
    if failure.mayRunAgain, !failure.outcomeUnknown || step.job.request.isRepeatable {
      var step = step
      step.outcomeUnknown = step.outcomeUnknown || failure.outcomeUnknown
      return (step, failure)
    }
    results.append(result(step, failure, backend))
    return nil
  }

  private func result(_ step: Step, _ failure: Failure, _ backend: Int?) -> WorkerPool.Result {
    var failure = failure
    failure.outcomeUnknown = failure.outcomeUnknown || step.outcomeUnknown
    let response = router.errorResponse(uncommitted: failure, backend: backend)
    return .init(number: step.job.number, outcome: .init(response, failure))
  }
}

extension Failure {
  /// Thrown by a handler that has read a part of what it needs and changed nothing. Only for a handler in the event loop:
  /// a worker delays nobody.
  public static let unfinished = Failure(
    .storage, "the work is not finished", retryable: true, cause: .unfinished)

  /// The handler may run again: the store could not be used at that moment, since another process held a lock, or the
  /// connection was lost. Nothing was changed, unless the outcome is unknown.
  var mayRunAgain: Bool { kind == .storage && retryable }

  /// The transaction that it happened in cannot go on.
  fileprivate var failsBatch: Bool { mayRunAgain && storageProblem != .contended }
}

extension ReceivedRequest {
  var isRead: Bool { method == .get || method == .head || method == .options }

  /// Whether handling it twice has the effect of handling it once.
  fileprivate var isRepeatable: Bool { isRead || header("Idempotency-Key") != nil }
}
