import Glibc
import TestSupport
import Testing

@testable import System

/// What a signal does to the whole program is held in EndToEndTests: a process can be interrupted only once.
@Suite struct InterruptionTests {
  @Test func programThatComputesIsEndedByTheSignal() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      Interruption.install()
      InterruptionTests.raise(SIGTERM)
      while true {}
    }
  }

  /// In a process of its own, which from then on does nothing but stop.
  @Test func interruptedCallsReturnAtOnce() async {
    await #expect(processExitsWith: .success) {
      let filled = try Pipe()
      try filled.writer.writeAll(Array("four".utf8))
      let (full, scratch) = (try Pipe(), try ScratchDirectory())
      try full.writer.makeNonBlocking()
      #expect(throws: SystemError.wouldBlock) {
        try full.writer.writeAll([UInt8](repeating: 7, count: 4 << 20))
      }
      try scratch.write("text", to: "note")
      let source = try FileSource(scratch.file("note"))

      Interruption.install()
      Interruption.allowLongCleanUp()
      InterruptionTests.raise(SIGTERM)
      InterruptionTests.raise(SIGHUP)
      #expect(Interruption.pending == SIGTERM, "the first one")
      let interrupted = Interruption.failure
      #expect(throws: interrupted) { try Interruption.check() }
      #expect(throws: interrupted) { try DescriptorSource(filled.reader, name: "pipe").read(atMost: 1) }
      #expect(throws: interrupted) { try source.read(atMost: 1) }
      #expect(throws: interrupted) { try SystemTime().sleep(for: .zero) }
      #expect(throws: interrupted) { try SocketAddress.resolve("127.1", port: 1) }
      #expect(throws: interrupted) {
        try TerminalDevice(filled.reader).held(in: .keys) {}
      }
      #expect(throws: SystemError.interrupted) { try Waiting.forInput([filled.reader], atMost: .zero) }
      let empty = try Pipe()
      #expect(throws: SystemError.interrupted) { try Waiting.forInput([empty.reader], atMost: nil) }
      #expect(throws: SystemError.interrupted) {
        try Socket(.unix).wait(for: .writing, atMost: .zero, time: FakeClock())
      }
      // A reader is not waited for, be it that it has read all or not.
      #expect(throws: interrupted) { try DescriptorSink(filled.writer, name: "pipe").awaitReader() }
      #expect(try filled.reader.read(atMost: 10) == Array("four".utf8))
      #expect(throws: interrupted) { try DescriptorSink(filled.writer, name: "pipe").awaitReader() }
      // What has room is written all the same.
      for isInterruptible in [false, true] {
        try DescriptorSink(filled.writer, name: "pipe", isInterruptible: isInterruptible).write("text")
      }
      #expect(try filled.reader.read(atMost: 10) == Array("texttext".utf8))
      #expect(throws: interrupted) {
        try DescriptorSink(full.writer, name: "pipe", isInterruptible: true).write("x")
      }
      #expect(throws: Failure(.storage, "cannot write 'pipe': resource temporarily unavailable")) {
        try DescriptorSink(full.writer, name: "pipe").write("x")
      }
    }
  }

  /// On this thread, so that the signal has arrived when this returns.
  static func raise(_ number: Int32) {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    _ = Glibc.raise(number)
  }
}

@Suite struct ExitTests {
  @Test func failureDecidesHowProcessEnds() async {
    await #expect(processExitsWith: .exitCode(4)) { Exit.with(Failure(.conflict, "no")) }
    await #expect(processExitsWith: .signal(SIGPIPE)) { Exit.with(Failure(.closedPipe, "closed")) }
    await #expect(processExitsWith: .signal(SIGINT)) { Exit.with(Interruption.failure) }
    await #expect(processExitsWith: .signal(SIGHUP)) { Exit.with(TerminalDevice.noteHangUp()) }
  }
}

@Suite struct FailureKindTests {
  /// Frozen: scripts depend on these numbers and names.
  @Test(
    arguments: zip(
      Failure.Kind.allCases,
      [
        ("no", 1), ("usage", 2), ("notFound", 3), ("conflict", 4), ("connection", 5), ("invalidData", 6),
        ("unauthorized", 7), ("rateLimited", 8), ("captcha", 9), ("storage", 10), ("defect", 70),
        ("interrupted", 130), ("closedPipe", 141),
      ]))
  func namesAndCodesOfFailuresAreFrozen(kind: Failure.Kind, promise: (name: String, code: Int32)) {
    #expect(kind.rawValue == promise.name)
    #expect(kind.exitCode == promise.code)
    #expect(!kind.meaning.isEmpty)
  }

  @Test func everyFailureKindIsListed() { #expect(Failure.Kind.allCases.count == 13) }

  @Test func systemErrorTextIsLowerCase() {
    #expect(SystemError(2).text == "no such file or directory")
    #expect(
      SystemError(28).failure("write", "a b")
        == Failure(.storage, "cannot write 'a b': no space left on device"))
    #expect(SystemError(99_999).text.contains("99999"))
  }
}
