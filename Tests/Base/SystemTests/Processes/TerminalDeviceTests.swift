import Foundation
import TestSupport
import Testing

@testable import System

@Suite struct TerminalDeviceTests {
  @Test(
    arguments: [
      (1, 1, 1, 1), (1000, 500, 1000, 500), (1001, 501, 1000, 500), (60, 501, 60, 500), (0, 20, 80, 24),
      (60, 0, 80, 24), (0, 0, 80, 24),
    ] as [(UInt16, UInt16, Int, Int)])
  func sizeHasLimitsAndUsualValue(_ columns: UInt16, _ rows: UInt16, _ shown: Int, _ high: Int) throws {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    let descriptor = FileDescriptor(rawValue: terminal.descriptor)
    #expect(TerminalDevice(descriptor).size == WindowSize(columns: shown, rows: high))
    #expect(
      WindowSize.of(descriptor) == (columns == 0 ? nil : WindowSize(columns: Int(columns), rows: Int(rows))))
  }

  @Test func aPipeHasNoSize() throws {
    let pipe = try System.Pipe()
    defer { [pipe.reader, pipe.writer].forEach { $0.close() } }
    #expect(WindowSize.of(pipe.reader) == nil)
    #expect(TerminalDevice(pipe.reader).size == WindowSize(columns: 80, rows: 24))
    try pipe.writer.writeAll([1, 2, 3])
    #expect(try TerminalDevice(pipe.reader).read(atMost: 2) == [1, 2])
  }

  /// The system says that it is an error, for us it is the end. In a process of its own: no child of another test must
  /// have the other side open.
  @Test func closedTerminalReadsAsEnd() async {
    await #expect(processExitsWith: .success) {
      var (one, other): (Int32, Int32) = (-1, -1)
      try #require(openpty(&one, &other, nil, nil, nil) == 0)
      close(other)
      #expect(try TerminalDevice(FileDescriptor(rawValue: one)).read(atMost: 10) == [])
      #expect(throws: SystemError(EBADF)) {
        // Not `other`: its number may have been given to a file of the system's libraries by now.
        try TerminalDevice(FileDescriptor(rawValue: -1)).read(atMost: 1)
      }
    }
  }

  /// In a process of its own, since only one terminal at a time can be held.
  @Test func terminalModeIsRestored() async {
    await #expect(processExitsWith: .success) {
      let terminal = try PseudoTerminal(columns: 80)
      let device = TerminalDevice(FileDescriptor(rawValue: terminal.descriptor))
      let before = terminal.settings
      var seen: [String] = []
      for mode in [InputMode.keys, .hiddenLine, .line] {
        seen.append(
          try device.held(in: mode, enter: Array("[in]".utf8), leave: Array("[out]".utf8)) {
            // Nobody else can hold one now.
            #expect(
              failure { try device.held(in: mode) {} }
                == Failure(.storage, "cannot set up the terminal: device or resource busy"))
            return terminal.settings
          })
        #expect(terminal.settings == before)
        #expect(terminal.see("[in]") == "[in]" && terminal.see("[out]") == "[out]")
      }
      // A line is edited and echoed as before.
      #expect(Set(seen).count == 3 && seen.last == before)
      #expect(
        failure { try device.held(in: .keys) { () throws(Failure) -> Void in throw Failure(.no, "stop") } }
          == Failure(.no, "stop"))
      #expect(terminal.settings == before && terminal.text == "")
      #expect(
        failure { try device.held(in: .keys, enter: Array(repeating: 0x20, count: 129)) {} }
          == Failure(.storage, "cannot set up the terminal: argument list too long"))
      let pipe = try System.Pipe()
      #expect(
        failure { try TerminalDevice(pipe.reader).held(in: .keys) {} }
          == Failure(.storage, "cannot set up the terminal: inappropriate ioctl for device"))
    }
  }

  /// A parent without job control ignores SIGTSTP, and somebody else continues the process.
  @Test func ignoredSuspensionStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      let terminal = try PseudoTerminal(columns: 80)
      signal(SIGTSTP, SIG_IGN)
      let handler = try TerminalDevice(FileDescriptor(rawValue: terminal.descriptor)).held(in: .keys) {
        InterruptionTests.raise(SIGCONT)
        return unsafeBitCast(signal(SIGTSTP, SIG_IGN), to: Int.self)
      }
      #expect(handler == unsafeBitCast(SIG_IGN, to: Int.self))
    }
  }

  /// The wait after it lasts as long as its limit.
  @Test func aNewSizeEndsAWait() async {
    await #expect(processExitsWith: .success) {
      let terminal = try PseudoTerminal(columns: 80)
      let device = TerminalDevice(FileDescriptor(rawValue: terminal.descriptor))
      try device.held(in: .keys) {
        InterruptionTests.raise(SIGWINCH)
        let woken = try? Waiting.forInput([device.descriptor], atMost: nil)
        #expect(woken == [false])
        #expect(TerminalDevice.takeRedrawRequest())
        #expect(!TerminalDevice.takeRedrawRequest())
        let start = SystemTime().uptime()
        let idle = try? Waiting.forInput([device.descriptor], atMost: .milliseconds(5))
        #expect(idle == [false] && SystemTime().uptime() - start >= .milliseconds(5))
      }
    }
  }

  @Test func controllingTerminalIsStandardInputOrMissing() async {
    await #expect(processExitsWith: .success) {
      try #require(setsid() != -1)
      let null = try File.open("/dev/null", .read)
      dup2(null.rawValue, 0)
      #expect(
        failure { try TerminalDevice.controlling() }
          == Failure(
            .usage, "there is no terminal to ask on", hint: "see --help for a way without one"))
      let terminal = try PseudoTerminal(columns: 80)
      dup2(terminal.descriptor, 0)
      #expect(try TerminalDevice.controlling().descriptor == .standardInput)
    }
  }
}
