import System
import Testing
import TestSupport

@testable import Terminal

/// Real terminals, and real signals. One at a time: each is a process of its own.
@Suite(.serialized) struct FullScreenTests {
  static let entered = "\u{1B}[?1049h"
  static let left = "\u{1B}[?1049l"

  /// Every way out, and how the process ends by it.
  enum WayOut: CaseIterable {
    case leave, failure, terminate, interrupt, hangUp, controlC, crash, secondInterrupt, quit

    func take(_ stage: Stage) throws {
      switch self {
      case .leave: stage.type("q")
      case .failure: stage.type("t")
      case .terminate: stage.child.send(signal: SIGTERM)
      case .interrupt: stage.child.send(signal: SIGINT)
      case .hangUp: stage.child.send(signal: SIGHUP)
      case .controlC: stage.type("\u{3}")
      case .crash: stage.type("c")
      case .quit: stage.type("\u{1C}")
      case .secondInterrupt:
        stage.type("s")
        try stage.see("busy")
        stage.type("\u{3}")
        try stage.see("stuck")
        stage.type("\u{3}")
      }
    }

    var status: ChildProcess.Status {
      switch self {
      case .leave: .exited(0)
      case .failure: .exited(Failure.Kind.conflict.exitCode)
      case .terminate: .killed(signal: SIGTERM)
      case .interrupt, .controlC, .secondInterrupt: .killed(signal: SIGINT)
      case .hangUp: .killed(signal: SIGHUP)
      case .crash: .killed(signal: SIGSEGV)
      case .quit: .killed(signal: SIGQUIT)
      }
    }
  }

  @Test(arguments: WayOut.allCases)
  func terminalIsRestoredOnEveryExit(_ way: WayOut) throws {
    let stage = try Stage(.screen)
    let before = stage.settings
    try stage.see(Self.entered)
    try stage.see("[size 40x6]")
    #expect(stage.settings != before)
    try way.take(stage)
    #expect(try stage.end() == way.status)
    #expect(stage.settings == before)
    #expect(stage.output.contains(Self.left))
    #expect(stage.output.contains("\u{1B}[?25h"))
    #expect(stage.output.contains("\u{1B}[?1000l"))
  }

  @Test func keysMouseAndSizesArrive() throws {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.type("\u{1B}[<0;12;3M")
    try stage.see("[press 2 11]")
    stage.type("\u{1B}")
    try stage.see("escape]")
    stage.type("\r")
    try stage.see("enter]")
    stage.resize(columns: 30, rows: 4)
    try stage.see("\u{1B}[2J")
    try stage.see("[size 30x4]")
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }

  /// A key that has begun is no key of its own because something else happens meanwhile.
  @Test func resultDoesNotSplitEscapeSequence() throws {
    let stage = try Stage(.still)
    try stage.see("[size 40x6]")
    stage.type("a\u{1B}")
    try stage.see("answer to question]")
    stage.type("[A")
    try stage.see("key up]")
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }

  /// With nothing to wait for, or an alarm that is far away: it reads no clock while nobody types.
  @Test(arguments: ["", "z"]) func idleScreenReadsNoClock(_ key: String) throws {
    let stage = try Stage(.still)
    try stage.see("[size 40x6]")
    func reads() throws -> String {
      stage.type("u")
      try stage.see("[reads ")
      try waitUntil("the number") { stage.output.contains("]") }
      return String(stage.output.prefix { $0 != "]" })
    }
    stage.type(key)
    _ = try reads()
    let atOnce = try reads()
    // It is to do nothing meanwhile.
    try SystemTime().sleep(for: .milliseconds(50))
    #expect(try reads() == atOnce)
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }

  /// They would be written over it.
  @Test func messagesDuringScreenAreDiscarded() throws {
    let stage = try Stage(.shown)
    try stage.see("[size 40x6]")
    stage.type("a")
    try stage.see("answer to question]")
    stage.type("q")
    try stage.see(Self.left)
    #expect(try stage.end() == .exited(0))
    #expect(stage.output.contains("hw: after\n") && !stage.output.contains("during"))
  }

  /// The keys behind the one that leaves are for whoever comes next.
  @Test func keysAfterLeavingAreIgnored() throws {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.type("qt")
    #expect(try stage.end() == .exited(0))
  }

  @Test func keyRedrawsChangedCellsOnly() throws {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.type("x")
    try waitUntil("the key") { stage.output.contains("\"x\"") }
    #expect(!stage.output.contains("\u{1B}[2J"))
    // An alarm that is far away does not hold up the Escape key.
    stage.type("z\u{1B}")
    try stage.see("escape]")
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }

  @Test func ticksAndAnswersArrive() throws {
    let stage = try Stage(.screen)
    stage.type("a")
    try stage.see("answer to question]")
    stage.type("b")
    try stage.see("failed: no answer]")
    stage.type("w")
    try stage.see("tick 1")
    try stage.see("tick 2")
    try stage.see("tick 3")
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }

  /// A terminal window that is closed takes its program with it.
  @Test func closedTerminalEndsProcess() throws {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.hangUp()
    #expect(try stage.child.wait() == .killed(signal: SIGHUP))
  }

  /// The signal of the closed terminal may be ignored, as under nohup.
  @Test func closedTerminalEndsProcessIgnoringHangup() throws {
    let stage = try Stage(.shell)
    try stage.see("$ ")
    stage.type("trap '' HUP; eval \"($PLAY)\"\n")
    try stage.see("[size 40x6]")
    stage.hangUp()
    #expect(try stage.child.wait() != .exited(0))
  }

  /// Ctrl-Z under a shell: the terminal is the shell's until `fg`, and then the screen is whole again.
  @Test func screenIsRedrawnAfterSuspension() throws {
    let stage = try Stage(.shell)
    try stage.see("$ ")
    let before = stage.settings
    stage.type("eval \"($PLAY)\"\n")
    try stage.see("[size 40x6]")
    let during = stage.settings
    stage.type("\u{1A}")
    try stage.see(Self.left)
    try stage.see("$ ")
    #expect(stage.settings == before)
    // In the background it touches nothing, and stops again. A shell tells of a stop only when it is asked.
    stage.type("bg; sleep 0.2; jobs\n")
    try stage.see("Stopped")
    #expect(stage.settings == before)
    stage.resize(columns: 50, rows: 6)
    stage.type("fg\n")
    try stage.see(Self.entered)
    try stage.see("[size 50x6]")
    #expect(stage.settings == during)
    stage.type("x")
    try stage.see("\"x\"")
    // The size is the same, so nothing tells the screen: what it showed is shown again.
    stage.type("\u{1A}")
    try stage.see(Self.left)
    try stage.see("$ ")
    stage.type("fg\n")
    try stage.see(Self.entered)
    try stage.see("\u{1B}[2J")
    try stage.see("\"x\"")
    stage.type("q")
    try stage.see("$ ")
    #expect(stage.settings == before)
    stage.type("exit\n")
    #expect(try stage.end() == .exited(0))
  }

  /// A program that waits for a hidden answer, and the settings of its terminal before.
  private func hiddenQuestion() throws -> (Stage, before: String) {
    let stage = try Stage(.hidden)
    let before = stage.settings
    try stage.see("PIN: ")
    // The question may be read before the echo is off.
    try waitUntil("the echo to be off") { stage.settings != before }
    return (stage, before)
  }

  /// A terminal may have lost the line when it got its new size.
  @Test func questionIsRepeatedAfterResize() throws {
    let (stage, _) = try hiddenQuestion()
    stage.resize(columns: 30, rows: 4)
    try stage.see("PIN: ")
    stage.type("12\n")
    try stage.see("Name: ")
    stage.type("Bee\n")
    try stage.see("pin=12 name=Bee")
    #expect(try stage.end() == .exited(0))
  }

  /// With a line end, or with the end of input in the middle of a line.
  @Test(arguments: [("12\u{7F}34\n", "134"), ("12\u{4}\u{4}", "12")])
  func hiddenAnswerIsNotEchoed(_ typed: String, _ answer: String) throws {
    let (stage, before) = try hiddenQuestion()
    stage.type(typed)
    #expect(try !stage.see("Name: ").contains("12"))
    #expect(stage.settings == before)
    stage.type("Bee\n")
    try stage.see("pin=\(answer) name=Bee")
    #expect(try stage.end() == .exited(0))
  }

  @Test(arguments: ["\u{3}", "\u{4}"]) func hiddenQuestionCanBeCancelled(_ key: String) throws {
    let (stage, before) = try hiddenQuestion()
    stage.type(key)
    #expect(
      try stage.end() == (key == "\u{3}" ? .killed(signal: SIGINT) : .exited(Failure.Kind.usage.exitCode)))
    #expect(stage.settings == before)
  }

  /// After Ctrl-Z and `fg`, whether its answer is shown or not.
  @Test func questionIsRepeatedAfterSuspension() throws {
    let stage = try Stage(.shell)
    try stage.see("$ ")
    let before = stage.settings
    stage.type("eval \"(HW_ROLE=hidden${PLAY#HW_ROLE=screen})\"\n")
    try stage.see("PIN: ")
    for (question, answer) in [("PIN: ", "12"), ("Name: ", "Bee")] {
      stage.type("\u{1A}")
      try stage.see("$ ")
      #expect(stage.settings == before)
      stage.type("fg\n")
      try stage.see(question)
      stage.type("\(answer)\n")
      if question == "PIN: " { try stage.see("Name: ") }
    }
    try stage.see("pin=12 name=Bee")
    stage.type("exit\n")
    #expect(try stage.end() == .exited(0))
  }

  /// The shell would show the digits, and run the keys as a command.
  @Test(arguments: [SIGTERM, SIGHUP], [Role.hidden, .screen])
  func pendingInputIsDiscardedAfterSignal(_ signal: Int32, _ role: Role) throws {
    let stage = try Stage(.shell)
    try stage.see("$ ")
    let before = stage.settings
    stage.type("eval \"(HW_ROLE=\(role.rawValue)${PLAY#HW_ROLE=screen})\"\n")
    try stage.see(role == .hidden ? "PIN: " : "[size 40x6]")
    try waitUntil("the echo to be off") { stage.settings != before }
    if role == .screen {
      stage.type("s")
      try stage.see("busy")
    }
    stage.type("123")
    try stage.signalForeground(signal)
    if role == .screen {
      try stage.see("stuck")
      try stage.signalForeground(signal)
    }
    try stage.see("$ ")
    stage.type("echo $((40 + 2))\n")
    try stage.see("42")
    stage.type("exit\n")
    #expect(try stage.end() == .exited(0))
  }
}

/// Every signal that ends a process by default restores the terminal first. One at a time: each is a process.
@Suite(.serialized) struct EndingSignalTests {
  /// The last ones are SIGSTKFLT, SIGIO, SIGPWR and real-time signals, which have no names in Swift.
  @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS, 16, 29, 30, 34, 64])
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
  @Test(arguments: [SIGCHLD, SIGURG, SIGWINCH, SIGCONT, SIGXFSZ])
  func ignoredSignalsDoNotEndScreen(_ signal: Int32) throws {
    let stage = try Stage(.screen)
    try stage.see("[size 40x6]")
    stage.child.send(signal: signal)
    stage.type("q")
    #expect(try stage.end() == .exited(0))
  }
}
