import Foundation
import Synchronization
import Testing

/// Runs each case of a suite on a thread of its own, a limited number at once. A case that waits for a process, a socket
/// or a terminal would otherwise hold one of the few threads that all tests share, which are as many as processors.
///
/// With `HW_TEST_TIMES` the time of each case is appended to that file, without the time in the queue.
public struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  /// Waiting costs no processor, so there are more cases at once than processors.
  private static let slots = Slots(4 + 2 * ProcessInfo.processInfo.activeProcessorCount)

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard let testCase else { return try await function() }
    // All of it is on the own thread: what is resumed on the shared ones waits behind every test that has not begun.
    try await withTaskExecutorPreference(ThreadExecutor.shared) {
      await Self.slots.take()
      defer { Self.slots.give() }
      let start = ContinuousClock.now
      defer { CaseTimes.add(test, testCase, ContinuousClock.now - start) }
      try await function()
    }
  }
}

extension Trait where Self == OwnThread {
  public static var ownThread: OwnThread { OwnThread() }
}

/// Starts a thread for each job, so that a job may block.
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    Thread.detachNewThread { job.runSynchronously(on: executor) }
  }
}

/// A counting semaphore whose waiters suspend, first come first served.
private final class Slots: Sendable {
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) { state = Mutex((count, [])) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
