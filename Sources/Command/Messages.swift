import Output
import System

/// Standard error, for a person who watches: what is being waited for, what is done under `-v`. Answers never go here.
public struct Messages {
  let sink: any ByteSink
  /// 0 says what matters, 1 and 2 tell more; below 0, under `--quiet`, nothing is said.
  public let verbosity: Int

  init(_ sink: any ByteSink, verbosity: Int) {
    self.sink = sink
    self.verbosity = verbosity
  }

  /// Says a line, unless `--quiet` forbids it or it wants more `-v` than was given.
  public func tell(_ line: String, verbosity wanted: Int = 0) {
    guard verbosity >= wanted else { return }
    // Nobody is left to be told that standard error cannot be written.
    try? sink.write("hw: \(line)\n")
  }
}
