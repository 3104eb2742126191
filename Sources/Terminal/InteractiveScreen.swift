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
