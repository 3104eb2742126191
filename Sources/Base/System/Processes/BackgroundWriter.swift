import Synchronization

/// Writes lines on a thread of its own, so that a reader that stopped reading, or a slow disk, delays no other work. What
/// does not fit into its bounded memory is lost, and the next line that is written is preceded by the number.
///
/// It lasts as long as the process once a line was written.
public final class BackgroundWriter: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var lostLines = 0
    /// Lines that the waiting reports count as lost, less one line for each of these reports.
    var reportedLoss = 0
    var isWriting = false
    var isStarted = false
  }

  private let sink: any ByteSink & Sendable
  private let limit: Int
  private let lossReport: @Sendable (Int) -> String
  private let state = Mutex(State())
  /// Wakes the thread.
  private let wake: Pipe
  /// The thread has written everything.
  private let idle: Pipe

  /// `limit` is how many bytes may wait. `lossReport` makes the line for a number of lost lines.
  public init(
    _ sink: any ByteSink & Sendable, limit: Int = 1 << 20, lossReport: @escaping @Sendable (Int) -> String
  ) throws(SystemError) {
    self.sink = sink
    self.limit = limit
    self.lossReport = lossReport
    wake = try Pipe()
    idle = try Pipe()
    try idle.writer.makeNonBlocking()
    try idle.reader.makeNonBlocking()
  }

  deinit {
    for end in [wake.reader, wake.writer, idle.reader, idle.writer] { end.close() }
  }

  /// Adds a line, which must end in a line feed.
  public func append(_ line: String) {
    let (mustStart, mustWake) = state.withLock { state in
      guard state.waiting.count + line.utf8.count <= limit else {
        state.lostLines += 1
        return (false, false)
      }
      if state.lostLines > 0 {
        state.waiting += lossReport(state.lostLines).utf8
        state.reportedLoss += state.lostLines - 1
        state.lostLines = 0
      }
      state.waiting += line.utf8
      defer {
        state.isWriting = true
        state.isStarted = true
      }
      return (!state.isStarted, !state.isWriting)
    }
    if mustStart {
      // Without a thread the lines are lost in the end: nothing of the service depends on them.
      try? Thread.start { self.writeForever() }
    } else if mustWake {
      try? wake.writer.writeAll([0])
    }
  }

  /// Waits until everything is written, at most so long.
  public func finish(atMost limit: Duration, time: any TimeKeeper) {
    let end = time.uptime() + limit
    while state.withLock({ $0.isWriting }) {
      let left = end - time.uptime()
      guard left > .zero else { return }
      var entry = pollfd(fd: idle.reader.rawValue, events: Int16(POLLIN), revents: 0)
      unsafe _ = poll(&entry, 1, left.pollMilliseconds)
      _ = try? idle.reader.read(atMost: 64)
    }
  }

  private func writeForever() {
    var endsInLine = true
    while true {
      let (bytes, reportedLoss) = state.withLock { state in
        defer { (state.waiting, state.reportedLoss) = ([], 0) }
        state.isWriting = !state.waiting.isEmpty
        return (state.waiting, state.reportedLoss)
      }
      if bytes.isEmpty {
        // A full pipe returns the same error.
        try? idle.writer.writeAll([0])
        guard let woken = try? wake.reader.read(atMost: 1), !woken.isEmpty else { return }
        continue
      }
      do throws(Failure) {
        try sink.write(endsInLine ? bytes : [UInt8(ascii: "\n")] + bytes)
        endsInLine = true
      } catch {
        // The next line that is written reports the loss. A part of these may have been written, so that line begins
        // on a line of its own.
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + reportedLoss
        state.withLock { $0.lostLines += lines }
        endsInLine = false
      }
    }
  }
}
