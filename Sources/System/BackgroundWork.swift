import CLibraries
import Synchronization

/// Does what blocks (asking a service) on a thread of its own, one request after the other, so that answers come in
/// the order of the requests. `descriptor` can be read from while answers wait, so a loop can wait for it and for
/// keys at once.
///
/// When the owner lets go of it while a request is under way, the thread finishes that request and ends; nobody waits.
public final class BackgroundWork<Request: Sendable, Answer: Sendable>: Sendable {
  private struct State {
    var requests: [Request] = []
    var answers: [Answer] = []
    var isRunning = false
  }

  private let work: @Sendable (Request) -> Answer
  private let pipe: Pipe
  private let state = Mutex(State())

  public init(_ work: @escaping @Sendable (Request) -> Answer) throws(SystemError) {
    self.work = work
    pipe = try Pipe()
  }

  deinit {
    pipe.reader.close()
    pipe.writer.close()
  }

  /// Readable while `next` has an answer.
  public var descriptor: FileDescriptor { pipe.reader }

  /// Puts the request at the end of the queue.
  public func ask(_ request: Request) {
    let mustStart = state.withLock { state in
      state.requests.append(request)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustStart else { return }
    do throws(SystemError) {
      try Thread.start { self.drain() }
    } catch {
      // No thread to be had: then it is done here and now, which is slower to the eye but as good.
      drain()
    }
  }

  /// The oldest answer that was not taken yet.
  public func next() -> Answer? {
    guard let answer = state.withLock({ $0.answers.isEmpty ? nil : $0.answers.removeFirst() }) else {
      return nil
    }
    _ = try? pipe.reader.read(atMost: 1)
    return answer
  }

  /// The oldest answer, waited for through every signal: for a request that is known to end soon.
  public func awaitNext() -> Answer {
    while true {
      if let answer = next() { return answer }
      var one = pollfd(fd: pipe.reader.rawValue, events: Int16(POLLIN), revents: 0)
      unsafe _ = poll(&one, 1, -1)
    }
  }

  private func drain() {
    while let request = takeRequest() {
      let answer = work(request)
      state.withLock { $0.answers.append(answer) }
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

/// A thread of the system's, which nobody waits for.
enum Thread {
  private final class Box {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts it with every signal blocked: those are for the thread that holds the terminal.
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

/// A value that one thread hands to another and does not touch again. That is the caller's promise: the compiler
/// cannot follow a client through a queue.
public struct UncheckedTransfer<Value>: @unchecked Sendable {
  public let value: Value

  public init(_ value: Value) {
    self.value = value
  }
}
