import System

/// Runs handlers on threads of their own, for backends whose store may block for long, such as a database on another
/// machine: the event loop never waits for it.
///
/// Each worker has its own backends, and with them its own connection to the store. The first one runs every request
/// that may write, so that the requests that arrive during one commit share the next one, and no two transactions of a
/// process wait for each other. The others share the requests that read.
public final class WorkerPool {
  struct Job: Sendable {
    let number: Int
    let request: RoutedRequest
  }

  struct Result: Sendable {
    let number: Int
    let outcome: Outcome
  }

  private struct Worker {
    let work: BackgroundWork<[Job], [Result]>
    var isBusy = false
  }

  private var workers: [Worker] = []
  private var writes: [Job] = []
  private var reads: [Job] = []

  /// Maximum number of writes in one commit. A response waits for all of its batch.
  private static let writesPerBatch = 64
  private static let readsPerBatch = 16

  /// Calls `runner` once for each worker. Each result must have backends and a store connection of its own, with the
  /// same routes; only its worker uses it from then on.
  public init(readers: Int, _ runner: () throws(Failure) -> RequestRunner) throws(Failure) {
    for _ in 0...max(1, readers) {
      let runner = UncheckedTransfer(try runner())
      workers.append(Worker(work: try BackgroundWork { runner.value.run($0) }))
    }
  }

  /// Descriptors that are readable while a worker has results.
  var descriptors: [FileDescriptor] { workers.map(\.work.descriptor) }

  func submit(_ job: Job, mayWrite: Bool) {
    if mayWrite { writes.append(job) } else { reads.append(job) }
  }

  /// Removes the jobs that no worker has begun, and returns their numbers.
  func remove(_ numbers: Set<Int>) -> [Int] {
    let removed = (writes + reads).map(\.number).filter(numbers.contains)
    writes.removeAll { numbers.contains($0.number) }
    reads.removeAll { numbers.contains($0.number) }
    return removed
  }

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

extension RequestRunner {
  /// Runs the reads one after the other, and then the changes of each backend together.
  fileprivate func run(_ jobs: [WorkerPool.Job]) -> [WorkerPool.Result] {
    var results: [WorkerPool.Result] = []
    var changesByBackend: [Int: [(number: Int, call: Call)]] = [:]
    for job in jobs {
      do throws(Refusal) {
        let call = try admit(job.request)
        if call.isChange {
          changesByBackend[call.backend, default: []].append((job.number, call))
        } else {
          results.append(.init(number: job.number, outcome: wholeOutcome(of: call)))
        }
      } catch {
        results.append(.init(number: job.number, outcome: error.outcome))
      }
    }
    for (backend, batch) in changesByBackend {
      for (job, result) in zip(batch, change(batch.map(\.call), of: backend)) {
        results.append(.init(number: job.number, outcome: result.outcome))
      }
    }
    turnEnded()
    return results
  }
}
