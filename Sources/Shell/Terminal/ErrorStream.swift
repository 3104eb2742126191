import Synchronization
import System

/// Standard error: messages, one line of progress that is rewritten in place, questions. Every thread may write; lines
/// of two threads never mix.
public final class ErrorStream: ByteSink, Sendable {
  public let isTerminal: Bool
  private let sink: any ByteSink & Sendable
  private let columns: @Sendable () -> Int?
  private let state = Mutex(State())

  private struct State {
    /// A full screen has the terminal.
    var isMuted = false
    /// When the line of progress was last written; nil while there is none.
    var progress: Duration?
  }

  /// `columns` is the width of the terminal.
  public init(
    _ sink: any ByteSink & Sendable, isTerminal: Bool = false,
    columns: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.sink = sink
    self.isTerminal = isTerminal
    self.columns = columns
  }

  /// Writes text as it is, after the line of progress has been taken away. Fails as `interrupted` if the program was
  /// asked to stop.
  public func write(_ bytes: RawSpan) throws(Failure) {
    try state.withLock { state throws(Failure) in
      try clear(&state)
      try sink.write(bytes)
    }
    try Interruption.check()
  }

  /// Sink without the lock and the interruption, for a separate thread that may wait for the reader while
  /// others write. It ignores the line of progress.
  public var unlocked: any ByteSink & Sendable { sink }

  /// Writes one message as one line, unless a full screen has the terminal. A message quotes services and users: text
  /// from them must not add a line to a log, nor control the terminal that the log is read on later.
  public func report(_ line: String) {
    state.withLock { state in
      guard !(isTerminal && state.isMuted) else { return }
      // A standard error that cannot be written leaves no place for a report.
      try? clear(&state)
      try? sink.write("hw: \(line.terminalSafe)\n")
    }
  }

  /// Shows the text in place of the last one, cut to the width. Within a tenth of a second of the last one the text is
  /// skipped, and not even made. Standard error that is no terminal has no line of progress.
  public func showProgress(at uptime: Duration, _ text: () -> String) {
    guard isTerminal else { return }
    state.withLock { state in
      if let last = state.progress, uptime - last < ErrorStream.pause { return }
      guard !state.isMuted else { return }
      state.progress = uptime
      // One column stays free: a full line would wrap, and the next rewrite would begin a line too low.
      try? sink.write("\r\(text().terminalSafe.truncated(to: (columns() ?? 80) - 1))\u{1B}[K")
    }
  }

  /// Takes the line of progress away.
  public func clearProgress() {
    state.withLock { state in try? clear(&state) }
  }

  private func clear(_ state: inout State) throws(Failure) {
    guard state.progress != nil else { return }
    state.progress = nil
    try sink.write("\r\u{1B}[K")
  }

  /// Discards messages until `unmute`, where they would be written over a full screen.
  public func mute() { state.withLock { $0.isMuted = true } }

  public func unmute() { state.withLock { $0.isMuted = false } }

  /// The shortest time between two texts of the line of progress.
  private static let pause = Duration.milliseconds(100)
}
