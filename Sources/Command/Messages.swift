import Output
import System
import Terminal

/// Standard error, for a person who watches: what is being waited for, what is done under `-v`. Answers never go here.
public struct Messages {
  let stream: Host.Stream<any ByteSink>
  /// 0 says what matters, 1 and 2 tell more; below 0, under `--quiet`, nothing is said.
  public let verbosity: Int

  init(_ stream: Host.Stream<any ByteSink>, verbosity: Int) {
    self.stream = stream
    self.verbosity = verbosity
  }

  /// Says a line, unless `--quiet` forbids it or it wants more `-v` than was given.
  public func tell(_ line: String, verbosity wanted: Int = 0) {
    guard verbosity >= wanted else { return }
    // Nobody is left to be told that standard error cannot be written.
    try? stream.bytes.write("hw: \(stream.isTerminal ? line.neutralised : line)\n")
  }
}
