import Synchronization
import System

/// Standard error: messages, a progress line, questions. Lines of several threads never mix.
public final class ErrorStream: ByteSink, Sendable {
  public let isTerminal: Bool
  private let sink: any ByteSink & Sendable
  private let columns: @Sendable () -> Int?
  private let state = Mutex(State())

  private struct State {
    var isMuted = false
    /// Time of the last text of the progress line; nil if there is none.
    var progress: Duration?
  }

  public init(
    _ sink: any ByteSink & Sendable, isTerminal: Bool = false,
    columns: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.sink = sink
    self.isTerminal = isTerminal
    self.columns = columns
  }

  /// Writes text unchanged, after clearing the progress line. Fails as `interrupted` after a signal to stop.
  public func write(_ bytes: RawSpan) throws(Failure) {
    try state.withLock { state throws(Failure) in
      try clear(&state)
      try sink.write(bytes)
    }
    try Interruption.check()
  }

  /// Sink without lock, interruption and progress line, for a thread that may wait while others write.
  public var unlocked: any ByteSink & Sendable { sink }

  /// Writes a message as one line, unless a full screen uses the terminal. Text from services and users must neither
  /// add a line to a log nor control the terminal that shows the log later.
  public func report(_ line: String) {
    state.withLock { state in
      guard !(isTerminal && state.isMuted) else { return }
      // Nothing can be reported if standard error cannot be written.
      try? clear(&state)
      try? sink.write("hw: \(line.terminalSafe)\n")
    }
  }

  /// Rewrites the progress line on a terminal. `text` is not called within a tenth of a second of the last text.
  public func showProgress(at uptime: Duration, _ text: () -> String) {
    guard isTerminal else { return }
    state.withLock { state in
      if let last = state.progress, uptime - last < ErrorStream.progressInterval { return }
      guard !state.isMuted else { return }
      state.progress = uptime
      // One column stays free: a full line would wrap, and the next text would begin a line too low.
      try? sink.write("\r\(text().terminalSafe.truncated(to: (columns() ?? 80) - 1))\u{1B}[K")
    }
  }

  public func clearProgress() { state.withLock { state in try? clear(&state) } }

  private func clear(_ state: inout State) throws(Failure) {
    guard state.progress != nil else { return }
    state.progress = nil
    try sink.write("\r\u{1B}[K")
  }

  /// Discards messages until `unmute`, while they would overwrite a full screen.
  public func mute() { state.withLock { $0.isMuted = true } }

  public func unmute() { state.withLock { $0.isMuted = false } }

  private static let progressInterval = Duration.milliseconds(100)
}
