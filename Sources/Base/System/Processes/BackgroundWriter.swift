import Synchronization

/// Writes lines on its own thread, so that a slow reader or disk delays no other work. Lines that exceed the memory
/// limit are lost, and the next written line is preceded by a report of their number. Once a line was written, the
/// writer lives as long as the process.
public final class BackgroundWriter: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var lostLines = 0
    /// Lost lines beyond the number of lines in `waiting`: a report of five lost lines is one line, and adds four. If
    /// the write of `waiting` fails, both numbers are added to `lostLines`.
    var reportedLoss = 0
    var isWriting = false
    var isStarted = false
  }

  private let sink: any ByteSink & Sendable
  private let limit: Int
  private let lossReport: @Sendable (Int) -> String
  private let state = Mutex(State())
  private let wake: Pipe
  /// Readable after the thread has written everything.
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

  /// Appends a line, which must end with a line feed.
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
      // Without a thread the lines are lost; the service does not depend on them.
      try? Thread.start { self.writeForever() }
    } else if mustWake {
      try? wake.writer.writeAll([0])
    }
  }

  /// Waits until the waiting lines are written, at most `limit`.
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
    var isAtLineStart = true
    while true {
      let (bytes, reportedLoss) = state.withLock { state in
        defer { (state.waiting, state.reportedLoss) = ([], 0) }
        state.isWriting = !state.waiting.isEmpty
        return (state.waiting, state.reportedLoss)
      }
      if bytes.isEmpty {
        // A full pipe is readable already.
        try? idle.writer.writeAll([0])
        guard let woken = try? wake.reader.read(atMost: 1), !woken.isEmpty else { return }
        continue
      }
      do throws(Failure) {
        try sink.write(isAtLineStart ? bytes : [UInt8(ascii: "\n")] + bytes)
        isAtLineStart = true
      } catch {
        // The next line reports the loss. A part of these lines may have been written, so it begins on a new line.
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + reportedLoss
        state.withLock { $0.lostLines += lines }
        isAtLineStart = false
      }
    }
  }
}
