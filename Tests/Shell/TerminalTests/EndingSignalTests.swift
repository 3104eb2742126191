import System
import Testing

@testable import Terminal

/// Every signal that ends a process by default restores the terminal first. One at a time: each is a process.
@Suite(.serialized) struct EndingSignalTests {
  /// The last ones are SIGSTKFLT, SIGIO, SIGPWR and real-time signals, which have no names in Swift.
  @Test(arguments: [
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS, 16, 29, 30, 34, 64,
  ])
  func endingSignalRestoresTerminal(_ signal: Int32) throws {
    let stage = try Stage(.screen)
    let before = stage.settings
    try stage.see("[size 40x6]")
    #expect(stage.settings != before)
    stage.child.send(signal: signal)
    #expect(try stage.end() == .killed(signal: signal))
    #expect(stage.settings == before)
    #expect(stage.output.contains(FullScreenTests.left))
  }

  /// These do not end a process by default, and SIGXFSZ is an error of write.
  @Test(arguments: [SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGXFSZ]) func ignoredSignalsDoNotEndScreen(
    _ signal: Int32
  )
    throws
  {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.child.send(signal: signal)
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }
}
