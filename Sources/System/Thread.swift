import CLibraries

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
