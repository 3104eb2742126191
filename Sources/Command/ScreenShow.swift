import Output
import System
import Terminal

extension Context {
  /// Shows a screen on the terminal until it is left. What would be told meanwhile (that something is tried again, say)
  /// is not, where standard error is a terminal: it would be written over the picture.
  public func show<Screen: InteractiveScreen>(_ screen: inout Screen) throws(Failure)
  where Screen.Request == Never {
    try show(&screen) { (_: Never) -> Screen.Answer in }
  }

  /// The same for a screen that asks: `answer` is called on a thread of its own, never twice at once.
  public func show<Screen: InteractiveScreen>(
    _ screen: inout Screen,
    answering answer: @escaping @Sendable (Screen.Request) throws(Failure) -> Screen.Answer
  ) throws(Failure) {
    let color = output.settings.screen?.color ?? false
    let terminal = try TerminalDevice.controlling()
    messages.curtain.fall()
    defer { messages.curtain.rise() }
    try FullScreen(on: terminal, time: time, color: color).run(&screen, answering: answer)
  }
}
