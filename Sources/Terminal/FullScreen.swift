import System

/// A full-screen view as a value: it takes events, and draws what it is. It touches no terminal, no clock and no
/// network, so a test sends it events and reads the canvas. `FullScreen.run` gives it a terminal.
///
/// What has to be asked of a service is a `Request`, which `handle` hands out. It is answered on a thread of its own,
/// one after the other, and comes back as the event `answered`, in the order asked.
public protocol InteractiveScreen {
  associatedtype Request: Sendable = Never
  associatedtype Answer: Sendable = Never

  /// Takes one event, at that uptime. A failure that is thrown ends the screen and is the command's.
  mutating func handle(
    _ event: ScreenEvent<Answer>, at uptime: Duration
  ) throws(Failure) -> Next<Request>

  /// Draws the whole picture on a blank canvas of the terminal's size.
  func draw(on canvas: inout Canvas)

  /// The uptime at which it wants a `tick`: the next frame of an animation, the next poll. Asked after every event; a
  /// tick has to move it on.
  var alarm: Duration? { get }
}

extension InteractiveScreen {
  public var alarm: Duration? { nil }
}

/// What can happen to a screen.
public enum ScreenEvent<Answer: Sendable>: Sendable {
  /// The first event, and then whenever the size changes.
  case resized(WindowSize)
  case key(Key)
  /// The alarm's time has come.
  case tick
  case answered(Result<Answer, Failure>)
}

/// What a screen wants after an event.
public enum Next<Request> {
  /// The next event.
  case stay
  /// The next event, and an answer to this.
  case ask(Request)
  /// The end.
  case leave
}

/// Shows an `InteractiveScreen` on a terminal until it wants to leave.
public struct FullScreen {
  let terminal: TerminalDevice
  let time: any TimeKeeper
  let color: Bool

  public init(on terminal: TerminalDevice, time: any TimeKeeper, color: Bool) {
    self.terminal = terminal
    self.time = time
    self.color = color
  }

  /// Runs the screen. The terminal is given back on every way out; a signal that asks to stop, and a terminal that was
  /// closed, throw `interrupted`.
  public func run<Screen: InteractiveScreen>(_ screen: inout Screen) throws(Failure)
  where Screen.Request == Never {
    try run(&screen) { (_: Never) -> Screen.Answer in }
  }

  /// Runs a screen that asks: `answer` is called on a thread of its own, never twice at once.
  public func run<Screen: InteractiveScreen>(
    _ screen: inout Screen,
    answering answer: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Answer
  ) throws(Failure) {
    var loop = Loop(screen: screen, terminal: terminal, time: time, color: color, answer: answer)
    defer { screen = loop.screen }
    try terminal.held(in: .keys, enter: ScreenModes.enter, leave: ScreenModes.leave) { () throws(Failure) in
      try loop.run()
    }
  }
}

/// What a full screen sets on a terminal, and how it is undone.
enum ScreenModes {
  /// The other screen, no cursor, no wrapping at the edge, clicks and wheel as SGR reports, pastes in brackets.
  static let enter = Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h".utf8)
  /// Also out of the middle of a frame.
  static let leave = Array(
    "\u{1B}[?2026l\u{1B}[m\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)
}

private struct Loop<Screen: InteractiveScreen> {
  var screen: Screen
  let terminal: TerminalDevice
  let time: any TimeKeeper
  let answer: @Sendable (Screen.Request) throws(Failure) -> Screen.Answer

  private var decoder = KeyDecoder()
  /// When the decoder, undecided, has waited long enough.
  private var settling: Duration?
  private var painter: Painter
  private let depth = ColorDepth(.process)
  private var work: BackgroundWork<Screen.Request, Result<Screen.Answer, Failure>>?
  private var size: WindowSize
  private var isOver = false

  init(
    screen: Screen, terminal: TerminalDevice, time: any TimeKeeper, color: Bool,
    answer: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Answer
  ) {
    self.screen = screen
    self.terminal = terminal
    self.time = time
    self.answer = answer
    painter = Painter(color: color)
    size = terminal.size
  }

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
      try Waiting.forInput(descriptors, atMost: limit())
    }
    if TerminalDevice.takeRedrawRequest() { try look() }
    if ready[0] {
      try type()
    } else if let settling, settling <= time.uptime() {
      for key in decoder.settle() { try send(.key(key)) }
    }
    if !decoder.isUndecided { settling = nil }
    while let answer = work?.next() { try send(.answered(answer)) }
    if let alarm = screen.alarm, alarm <= time.uptime() { try send(.tick) }
  }

  /// How long nothing has to be done: until the alarm, or until Escape alone is Escape.
  private func limit() -> Duration? {
    // A screen that forgets to move its alarm on must not eat a processor.
    let alarm = screen.alarm.map { max(.milliseconds(5), $0 - time.uptime()) }
    guard let settling else { return alarm }
    return min(alarm ?? KeyDecoder.patience, max(.zero, settling - time.uptime()))
  }

  private mutating func look() throws(Failure) {
    painter.forget()
    let now = terminal.size
    guard now != size else { return }
    size = now
    try send(.resized(now))
  }

  private mutating func type() throws(Failure) {
    let bytes = try onTerminal { () throws(SystemError) in try terminal.read(atMost: 4096) }
    guard !bytes.isEmpty else { throw TerminalDevice.closed() }
    for key in decoder.decode(bytes) { try send(.key(key)) }
    settling = time.uptime() + KeyDecoder.patience
  }

  private mutating func send(_ event: ScreenEvent<Screen.Answer>) throws(Failure) {
    guard !isOver else { return }
    switch try screen.handle(event, at: time.uptime()) {
    case .stay: break
    case .leave: isOver = true
    case .ask(let request): try ask(request)
    }
  }

  private mutating func ask(_ request: Screen.Request) throws(Failure) {
    let work = try worker()
    self.work = work
    work.ask(request)
  }

  private func worker() throws(Failure) -> BackgroundWork<Screen.Request, Result<Screen.Answer, Failure>> {
    if let work { return work }
    let answer = answer
    return try onTerminal { () throws(SystemError) in
      try BackgroundWork { request in
        Result { () throws(Failure) in try answer(request) }
      }
    }
  }

  private mutating func paint() throws(Failure) {
    guard !isOver else { return }
    var canvas = Canvas(size)
    screen.draw(on: &canvas)
    let bytes = painter.frame(canvas)
    guard !bytes.isEmpty else { return }
    let shown = depth.adapting(bytes).whole
    try onTerminal { () throws(SystemError) in try terminal.descriptor.writeAll(shown) }
  }

  /// Turns what the system says into what it means for a screen.
  private func onTerminal<Result>(_ body: () throws(SystemError) -> Result) throws(Failure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch .interrupted {
      throw Interruption.failure
    } catch SystemError(EIO) {
      throw TerminalDevice.closed()
    } catch {
      throw Failure(.storage, "cannot use the terminal: \(error.text)")
    }
  }
}
