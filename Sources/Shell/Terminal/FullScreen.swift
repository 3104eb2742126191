import System

/// Full-screen view as a value: it handles events and draws its state, without terminal, clock or network, so that a
/// test sends it events and reads the canvas.
///
/// For blocking work, `handle` returns a `Request`, such as a call to a service. Requests are performed on a
/// background thread, one at a time; each outcome arrives as the event `completed`, in the order of the requests.
public protocol InteractiveScreen {
  associatedtype Request: Sendable = Never
  associatedtype Outcome: Sendable = Never

  /// Handles one event at that uptime. A thrown failure ends the screen and the command.
  mutating func handle(
    _ event: ScreenEvent<Outcome>, at uptime: Duration
  ) throws(Failure) -> Next<Request>

  func draw(on canvas: inout Canvas)

  /// Uptime of the next `tick`, read after every event; `handle` must advance it at a tick.
  var alarm: Duration? { get }
}

public enum ScreenEvent<Outcome: Sendable>: Sendable {
  /// The first event, and every change of the size.
  case resized(WindowSize)
  case key(Key)
  case tick
  case completed(Result<Outcome, Failure>)
}

public enum Next<Request> {
  case stay
  case request(Request)
  case leave
}

public enum FullScreen {
  /// Runs a screen, and always restores the terminal. `work` performs its requests one by one on a background thread.
  /// A signal to stop or a closed terminal throws `interrupted`.
  public static func run<Screen: InteractiveScreen>(
    _ screen: inout Screen, on terminal: TerminalDevice, time: any TimeKeeper, color: Bool, depth: ColorDepth,
    performing work: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Outcome
  ) throws(Failure) {
    var loop = Loop(
      screen: screen, terminal: terminal, time: time, perform: work, painter: Painter(color: color),
      colors: ColorFilter(depth), size: terminal.size)
    defer { screen = loop.screen }
    try terminal.held(in: .keys, enter: enter, leave: leave) { () throws(Failure) in try loop.run() }
  }

  /// Alternate screen, no cursor, no wrapping at the edge, clicks and wheel as SGR reports.
  private static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h".utf8)
  private static let leave = Array(
    "\u{1B}[?2026l\u{1B}[m\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
}

private struct Loop<Screen: InteractiveScreen> {
  var screen: Screen
  let terminal: TerminalDevice
  let time: any TimeKeeper
  let perform: @Sendable (Screen.Request) throws(Failure) -> Screen.Outcome

  var decoder = KeyDecoder()
  /// Uptime at which a lone Escape counts as the key, and an incomplete sequence is dropped.
  var escapeDeadline: Duration?
  var painter: Painter
  var colors: ColorFilter
  var work: BackgroundWork<Screen.Request, Result<Screen.Outcome, Failure>>?
  var size: WindowSize
  var isOver = false

  mutating func run() throws(Failure) {
    try send(.resized(size))
    while !isOver {
      try paint()
      try wait()
    }
  }

  private mutating func wait() throws(Failure) {
    let descriptors = [terminal.descriptor] + (work.map { [$0.descriptor] } ?? [])
    let ready = try onTerminal { () throws(SystemError) in
      try Waiting.forInput(descriptors, atMost: timeToWait())
    }
    if TerminalDevice.takeRedrawRequest() { try updateSize() }
    if ready[0] {
      try readKeys()
    } else if let escapeDeadline, escapeDeadline <= time.uptime() {
      for key in decoder.finish() { try send(.key(key)) }
    }
    if !decoder.isUndecided { escapeDeadline = nil }
    while let outcome = work?.next() { try send(.completed(outcome)) }
    if let alarm = screen.alarm, alarm <= time.uptime() { try send(.tick) }
  }

  /// Time to wait for input: until the alarm, or until a lone Escape is decided.
  private func timeToWait() -> Duration? {
    // A screen that does not advance its alarm must not use a whole processor.
    let alarm = screen.alarm.map { max(.milliseconds(5), $0 - time.uptime()) }
    guard let escapeDeadline else { return alarm }
    let left = escapeDeadline - time.uptime()
    return min(alarm ?? left, left)
  }

  private mutating func updateSize() throws(Failure) {
    painter.forget()
    let now = terminal.size
    guard now != size else { return }
    size = now
    try send(.resized(now))
  }

  private mutating func readKeys() throws(Failure) {
    let bytes = try onTerminal { () throws(SystemError) in try terminal.read(atMost: 4096) }
    guard !bytes.isEmpty else { throw TerminalDevice.noteHangUp() }
    for key in decoder.decode(bytes) { try send(.key(key)) }
    escapeDeadline = time.uptime() + KeyDecoder.escapeTimeout
  }

  private mutating func send(_ event: ScreenEvent<Screen.Outcome>) throws(Failure) {
    guard !isOver else { return }
    switch try screen.handle(event, at: time.uptime()) {
    case .stay: break
    case .leave: isOver = true
    case .request(let request): try submit(request)
    }
  }

  private mutating func submit(_ request: Screen.Request) throws(Failure) {
    if work == nil {
      let perform = perform
      work = try BackgroundWork { request in Result { () throws(Failure) in try perform(request) } }
    }
    work?.submit(request)
  }

  private mutating func paint() throws(Failure) {
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    let shown = colors.adapt(painter.frame(canvas))
    try onTerminal { () throws(SystemError) in try terminal.descriptor.writeAll(shown) }
  }

  private func onTerminal<Result>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch SystemError(EIO) {
      throw TerminalDevice.noteHangUp()
    } catch {
      throw error.failure(orElse: Failure(.storage, "cannot use the terminal: \(error.text)"))
    }
  }
}
