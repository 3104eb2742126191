import Testing

@testable import System

/// What a signal does to the whole program is held in EndToEndTests: a process can be interrupted only once.
@Suite struct WithoutAnInterruption {
  @Test func nothingIsPending() throws {
    #expect(Interruption.pending == nil)
    try Interruption.check()
  }

  @Test func itsFailureIsSaidByTheSignalAlone() {
    #expect(Interruption.failure.kind == .interrupted)
    #expect(Interruption.failure.kind.exitCode == 130)
    #expect(!Interruption.failure.retryable)
  }
}

@Suite struct TheKindsOfFailure {
  /// Frozen: scripts depend on these numbers and names.
  @Test(
    arguments: zip(
      Failure.Kind.allCases,
      [
        ("no", 1), ("usage", 2), ("notFound", 3), ("conflict", 4), ("connection", 5), ("invalidData", 6),
        ("unauthorized", 7), ("rateLimited", 8), ("captcha", 9), ("storage", 10), ("defect", 70),
        ("interrupted", 130),
        ("closedPipe", 141),
      ]))
  func frozen(kind: Failure.Kind, promise: (name: String, code: Int32)) {
    #expect(kind.rawValue == promise.name)
    #expect(kind.exitCode == promise.code)
    #expect(!kind.meaning.isEmpty)
  }

  @Test func noneWasForgotten() { #expect(Failure.Kind.allCases.count == 13) }

  @Test func aSystemErrorSpeaksInOurManner() {
    #expect(SystemError(2).text == "no such file or directory")
    #expect(
      SystemError(28).failure("write", "a b")
        == Failure(.storage, "cannot write 'a b': no space left on device"))
    #expect(SystemError(99_999).text.contains("99999"))
  }
}
