import System

/// One line on standard error that says how far something is, rewritten in place. Nothing at all where that is no
/// terminal: a log wants no such line.
public final class ProgressLine {
  private let errors: any ByteSink
  private let columns: Int?
  private let time: any TimeKeeper
  private var lastShown: Duration?

  /// As often as an eye follows.
  static let pause = Duration.milliseconds(100)

  /// `columns` is the width of the terminal behind `errors`; nil when there is none.
  public init(_ errors: any ByteSink, columns: Int?, time: any TimeKeeper) {
    self.errors = errors
    self.columns = columns
    self.time = time
  }

  /// Shows the text in place of the last one, cut to the width. When that was a moment ago the text is passed over,
  /// and not even made.
  public func show(_ text: @autoclosure () -> String) throws(Failure) {
    guard let columns else { return }
    let now = time.uptime()
    if let lastShown, now - lastShown < ProgressLine.pause { return }
    lastShown = now
    // One column stays free: a full line would wrap, and then the next rewrite would begin a line too low.
    try errors.write("\r\(text().terminalSafe.truncated(to: columns - 1))\u{1B}[K")
  }

  /// Takes the line away: before anything else is written on the terminal, and at the end.
  public func clear() throws(Failure) {
    guard lastShown != nil else { return }
    lastShown = nil
    try errors.write("\r\u{1B}[K")
  }
}
