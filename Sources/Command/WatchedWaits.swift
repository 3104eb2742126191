import Output
import System

extension Context {
  /// The same context for a command that keeps a line of its progress on standard error. While something is waited
  /// for, `show` is told again and again how long still; `clear` takes the line away before anything else is said.
  public func watched(
    clear: @escaping () -> Void, show: @escaping (Duration) -> Void
  ) -> Context {
    var host = host
    host.time = WatchedTime(inner: host.time, show: UncheckedTransfer(show))
    var errors = messages.stream
    errors.bytes = ClearedSink(inner: errors.bytes, clear: clear)
    return Context(
      program: program, call: call, host: host, output: output,
      messages: Messages(errors, verbosity: messages.verbosity, behind: messages.curtain))
  }
}

/// Clocks whose sleeps are told, a second at a time.
private struct WatchedTime: TimeKeeper {
  let inner: any TimeKeeper
  /// Called on the thread that sleeps, which is the one that made it.
  let show: UncheckedTransfer<(Duration) -> Void>

  func now() -> Timestamp { inner.now() }
  func uptime() -> Duration { inner.uptime() }
  func offset(at time: Timestamp) -> Int64 { inner.offset(at: time) }

  func sleep(for duration: Duration) throws(Failure) {
    let end = uptime() + duration
    while true {
      let left = end - uptime()
      guard left > .zero else { return }
      show.value(left)
      try inner.sleep(for: min(left, .seconds(1)))
    }
  }
}

private struct ClearedSink: ByteSink {
  let inner: any ByteSink
  let clear: () -> Void

  func write(_ bytes: RawSpan) throws(Failure) {
    clear()
    try inner.write(bytes)
  }
}
