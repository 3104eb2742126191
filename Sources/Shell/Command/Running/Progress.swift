import Synchronization
import System
import Terminal

/// The line of progress of work that may take longer than a second: how much is done, at what rate and, if the whole is
/// known, how much is left.
public final class Progress: Sendable {
  private let host: Host
  private let isShown: Bool
  private let unit: String
  private let rest: String
  private let step: String?
  private let start: Duration
  private let state = Mutex(State())

  private struct State {
    var done = 0
    var steps = 0
    /// The part of the whole that is done; nil if the whole is not known.
    var fraction: Double?
  }

  /// Counts `unit`, a singular; `rest` follows it. With `step`, a singular, the calls of `add` are counted as well.
  /// `whileRows`: rows are written meanwhile, so the line is shown only if they do not go to a terminal.
  public init(
    _ context: Context, _ unit: String, _ rest: String = "", inEach step: String? = nil,
    whileRows: Bool = false
  ) {
    host = context.host
    isShown = whileRows ? context.showsProgress : context.messages.verbosity >= 0
    self.unit = unit
    self.rest = rest
    self.step = step
    start = context.time.uptime()
  }

  /// Returns a context for the client that fetches: its waits are counted down on the line.
  public func watching(_ context: Context) -> Context { context.reportingWaits { self.show(next: $0) } }

  public func add(_ count: Int) {
    state.withLock { state in
      state.done += count
      state.steps += 1
    }
    show()
  }

  /// Sets the amount that is done, and the part of the whole that it is.
  public func update(_ done: Int, fraction: Double? = nil) {
    state.withLock { state in
      state.done = done
      state.fraction = fraction
    }
    show()
  }

  private func show() {
    show { now in
      let state = self.state.withLock { $0 }
      return [self.amount]
        + Progress.pace(done: state.done, fraction: state.fraction, after: now - self.start)
    }
  }

  private func show(next wait: Duration) {
    let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
    show { _ in ["\(self.amount); next request in \(seconds) s"] }
  }

  private func show(_ parts: (_ now: Duration) -> [String]) {
    let now = host.time.uptime()
    if isShown { host.errors.showProgress(at: now) { parts(now).joined(separator: ", ") } }
  }

  /// `2 pages, 200 rows`
  private var amount: String {
    let state = state.withLock { $0 }
    let steps = step.map { "\(Progress.counted(state.steps, $0)), " } ?? ""
    return "\(steps)\(Progress.counted(state.done, unit))\(rest)"
  }

  private static func counted(_ count: Int, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }

  /// The rate and the remaining amount. In the first second neither says much.
  static func pace(done: Int, fraction: Double?, after elapsed: Duration) -> [String] {
    let (seconds, attoseconds) = elapsed.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    guard time >= 1, done > 0 else { return [] }
    let rate = Double(done) / time
    let pace = [rate < 10 ? "\((rate * 10).rounded() / 10)/s" : "\(Int(min(rate, 1e15)))/s"]
    guard let fraction, fraction > 0, fraction <= 1 else { return pace }
    let left = min(time / fraction - time, 1e9).rounded(.up)
    return pace + ["\(Int(fraction * 100)) %", "\(Int(left)) s left"]
  }
}

/// A source that counts what was read of it.
public final class MeasuredSource: ByteSource {
  private let inner: any ByteSource
  private let size: Int?
  private var position = 0

  /// `size` is the number of bytes of the source; nil if that is not known.
  init(_ inner: any ByteSource, size: Int?) {
    self.inner = inner
    self.size = size
  }

  public func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    let count = try inner.read(into: &buffer)
    position += count
    return count
  }

  /// The part that was read; nil if the size is not known.
  public var fraction: Double? {
    guard let size, size > 0 else { return nil }
    return min(Double(position) / Double(size), 1)
  }
}

extension Context {
  /// Opens a file or standard input like `open`, with its size if that is known.
  public func openMeasured(_ file: String?) throws(Failure) -> MeasuredSource {
    let size = file.flatMap { $0 == "-" ? nil : File.size($0) }
    return MeasuredSource(try open(file), size: size)
  }
}
