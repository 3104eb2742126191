import Command
import Output
import System
import Terminal

/// The watched ranking on a terminal: redrawn in place, the last good answer kept. Arrows and page keys scroll, q leaves.
struct WatchScreen: InteractiveScreen {
  let every: Duration
  /// The lines of the table as it is now, for a terminal so wide.
  let ask: (_ width: Int) throws(Failure) -> [String]
  let clock: () -> String

  private var lines: [String] = []
  private var status = ""
  private var size = WindowSize(columns: 80, rows: 24)
  private var top = 0
  private(set) var alarm: Duration?

  init(
    every: Duration, clock: @escaping () -> String, ask: @escaping (_ width: Int) throws(Failure) -> [String]
  ) {
    self.every = every
    self.clock = clock
    self.ask = ask
  }

  mutating func handle(_ event: ScreenEvent<Never>, at uptime: Duration) throws(Failure) -> Next<Never> {
    switch event {
    case .resized(let size):
      self.size = size
      // The first picture needs an answer; it must come.
      if alarm == nil {
        lines = try ask(size.columns)
        answered(at: uptime)
      }
    case .tick:
      do throws(Failure) {
        lines = try ask(size.columns)
        answered(at: uptime)
      } catch {
        guard error.passes else { throw error }
        // In this order: what a narrow terminal cuts off is the reason, not that this is old.
        status = "\(clock()): still the last good answer; \(error.message)"
        alarm = uptime + every
      }
    case .key(let key): return press(key)
    case .answered: break
    }
    top = max(0, min(top, lines.count - 1 - room))
    return .stay
  }

  private mutating func answered(at uptime: Duration) {
    status = "\(clock()), again every \(every.components.seconds) s; q leaves"
    alarm = uptime + every
  }

  private mutating func press(_ key: Key) -> Next<Never> {
    switch key {
    case .character("q"), .escape: return .leave
    case .down, .character("j"): top += 1
    case .up, .character("k"): top -= 1
    case .pageDown, .character(" "): top += room
    case .pageUp, .character("b"): top -= room
    case .home: top = 0
    case .end: top = lines.count
    case .mouse(let mouse) where mouse.action == .wheelDown: top += 3
    case .mouse(let mouse) where mouse.action == .wheelUp: top -= 3
    default: break
    }
    top = max(0, min(top, lines.count - 1 - room))
    return .stay
  }

  /// The rows of the screen between heading and status.
  private var room: Int { max(0, size.rows - 2) }

  func draw(on canvas: inout Canvas) {
    guard let heading = lines.first else { return }
    canvas.write(heading, row: 0, column: 0, style: .bold)
    for (row, line) in lines.dropFirst(1 + top).prefix(room).enumerated() {
      canvas.write(line, row: row + 1, column: 0)
    }
    canvas.write(status, row: canvas.rows - 1, column: 0, style: .dim)
  }
}

extension Watch {
  /// On a terminal, in place.
  func runOnScreen() throws(Failure) {
    let context = context
    let ask = ask
    var screen = WatchScreen(every: every, clock: { context.time.local(context.time.now()).seconds }) {
      width throws(Failure) in
      let sink = MemorySink()
      var settings = context.output.settings
      settings.screen = Screen(width: width, color: false)
      settings.header = true
      let output = Output(settings, Outlet(sink))
      try output.write(ask())
      try output.outlet.flush()
      return sink.text.split(separator: "\n").map(String.init)
    }
    try context.show(&screen)
  }
}
