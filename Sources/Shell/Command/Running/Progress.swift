import Synchronization
import System
import Terminal

/// Progress line of work that may take longer than a second.
public final class Progress: Sendable {
  private let host: Host
  private let isShown: Bool
  private let unit: String
  private let rest: String
  private let step: String?
  private let state = Mutex(State())

  private struct State {
    var done = 0
    var steps = 0
  }

  /// `unit` is the singular of what is counted, and `rest` follows it: `3 bikes read`. With `step`, also a singular,
  /// the line begins with the number of calls of `add`: `2 pages, 200 rows`. With `whileRows`, the command writes rows
  /// meanwhile, so there is no line if they go to a terminal.
  public init(
    _ context: Context, _ unit: String, _ rest: String = "", inEach step: String? = nil,
    whileRows: Bool = false
  ) {
    host = context.host
    isShown = whileRows ? context.showsProgress : context.messages.verbosity >= 0
    self.unit = unit
    self.rest = rest
    self.step = step
  }

  public func add(_ count: Int) {
    state.withLock { state in
      state.done += count
      state.steps += 1
    }
    show()
  }

  public func update(_ done: Int) {
    state.withLock { $0.done = done }
    show()
  }

  private func show() {
    if isShown { host.errors.showProgress(at: host.time.uptime()) { amount } }
  }

  /// Text of the line: `2 pages, 200 rows`.
  private var amount: String {
    let state = state.withLock { $0 }
    let steps = step.map { "\(Progress.counted(state.steps, $0)), " } ?? ""
    return "\(steps)\(Progress.counted(state.done, unit))\(rest)"
  }

  private static func counted(_ count: Int, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
