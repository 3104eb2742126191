import Output
import Synchronization
import System
import Terminal

/// Standard error, for a person who watches: what is being waited for, what is done under `-v`. Answers never go here.
public struct Messages {
  let stream: Host.Stream<any ByteSink>
  /// 0 says what matters, 1 and 2 tell more; below 0, under `--quiet`, nothing is said.
  public let verbosity: Int
  let curtain: Curtain

  init(_ stream: Host.Stream<any ByteSink>, verbosity: Int, behind curtain: Curtain = Curtain()) {
    self.stream = stream
    self.verbosity = verbosity
    self.curtain = curtain
  }

  /// Says a line, unless `--quiet` forbids it or it wants more `-v` than was given.
  public func report(_ line: String, verbosity wanted: Int = 0) {
    guard verbosity >= wanted, !(stream.isTerminal && curtain.isDown) else { return }
    // Nobody is left to be told that standard error cannot be written.
    try? stream.bytes.write("hw: \(stream.isTerminal ? line.terminalSafe : line)\n")
  }
}

/// Falls while a screen holds the terminal. Screens have what they ask for done on another thread.
final class Curtain: Sendable {
  private let down = Atomic<Bool>(false)

  var isDown: Bool { down.load(ordering: .relaxed) }
  func fall() { down.store(true, ordering: .relaxed) }
  func rise() { down.store(false, ordering: .relaxed) }
}
