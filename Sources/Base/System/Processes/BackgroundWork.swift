import CLibraries
import Synchronization

/// Runs blocking work on its own thread, one request at a time, so outcomes arrive in the order of requests.
/// `descriptor` is readable while there are outcomes, so a loop can wait for it and for keys.
///
/// Requests may come from several threads; `next` and `awaitNext` are for one thread. If the owner releases the
/// object, the thread finishes the queued requests and ends.
public final class BackgroundWork<Request: Sendable, Outcome: Sendable>: Sendable {
  private struct State {
    var requests: [Request] = []
    var outcomes: [Outcome] = []
    var isRunning = false
  }

  private let work: @Sendable (Request) -> Outcome
  private let pipe: Pipe
  private let state = Mutex(State())

  public init(_ work: @escaping @Sendable (Request) -> Outcome) throws(Failure) {
    self.work = work
    do throws(SystemError) {
      pipe = try Pipe()
    } catch {
      throw Failure(.storage, "cannot make a pipe: \(error.text)")
    }
  }

  deinit {
    pipe.reader.close()
    pipe.writer.close()
  }

  public var descriptor: FileDescriptor { pipe.reader }

  /// Queues a request. If no thread can be created, performs it at once, which blocks the caller.
  public func submit(_ request: Request) {
    do throws(SystemError) {
      try start(request)
    } catch {
      drain()
    }
  }

  /// Queues work that waits for later calls of the caller, which thus cannot perform it. Throws if no thread starts.
  public func submitInBackground(_ request: Request) throws(SystemError) {
    do throws(SystemError) {
      try start(request)
    } catch {
      state.withLock { $0 = State() }
      throw error
    }
  }

  private func start(_ request: Request) throws(SystemError) {
    let mustStart = state.withLock { state in
      state.requests.append(request)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart { try Thread.start { self.drain() } }
  }

  public func next() -> Outcome? {
    guard let outcome = state.withLock({ $0.outcomes.isEmpty ? nil : $0.outcomes.removeFirst() }) else {
      return nil
    }
    _ = try? pipe.reader.read(atMost: 1)
    return outcome
  }

  /// Waits for the oldest outcome despite signals: for a request that ends soon.
  public func awaitNext() -> Outcome {
    while true {
      if let outcome = next() { return outcome }
      var one = pollfd(fd: pipe.reader.rawValue, events: Int16(POLLIN), revents: 0)
      unsafe _ = poll(&one, 1, -1)
    }
  }

  private func drain() {
    while let request = takeRequest() {
      let outcome = work(request)
      state.withLock { $0.outcomes.append(outcome) }
      try? pipe.writer.writeAll([0])
    }
  }

  private func takeRequest() -> Request? {
    state.withLock { state in
      guard state.requests.isEmpty else { return state.requests.removeFirst() }
      state.isRunning = false
      return nil
    }
  }
}

enum Thread {
  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread with every signal blocked: signals are for the main thread, which holds the terminal.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let box = unsafe Unmanaged.passRetained(Box(body))
    let number = unsafe hw_thread(
      { box in
        if let box = unsafe box { unsafe Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard number == 0 else {
      unsafe box.release()
      throw SystemError(number)
    }
  }
}

/// Value that one thread passes to another and does not use again, which the compiler does not check.
public struct UncheckedTransfer<Value>: @unchecked Sendable {
  public let value: Value

  public init(_ value: Value) { self.value = value }
}
