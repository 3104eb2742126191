import System
import TestSupport
import Testing

@Suite struct FailedChangeTests {
  private static let explained = Failure(.interrupted, "explained", cause: .explained)
  private let lost = Failure(.connection, "no response", hint: "try later", retryable: true)

  @Test func prefixKeepsFailureAndReplacesHint() {
    var failure = lost
    failure.message = "2 of 3 were made: no response"
    #expect(lost.prefixing("2 of 3 were made") == failure)
    failure.hint = "make the rest"
    #expect(lost.prefixing("2 of 3 were made", hint: "make the rest") == failure)
    #expect(Self.explained.prefixing("2 of 3 were made", hint: "make the rest") == Self.explained)
  }

  @Test func appendedTextReplacesHint() {
    var failure = lost
    failure.message = "no response; it was made"
    failure.hint = "go on"
    #expect(lost.appending("it was made", hint: "go on") == failure)
  }

  @Test(
    arguments: [
      (Failure(.interrupted, "it may have been made", hint: "look"), ["it may have been made; look"]),
      (Failure(.interrupted, "it may have been made"), ["it may have been made"]),
      (Interruption.failure.prefixing("it was made"), ["it was made: interrupted"]),
      (Failure(.connection, "it may have been made"), []), (explained, []), (Interruption.failure, []),
    ] as [(Failure, [String])])
  func interruptedChangeIsReported(failure: Failure, lines: [String]) {
    let notes = RecordedMessages()
    #expect(failure.reportingInterruption { notes.add($0.messageAndHint) } == failure)
    #expect(notes.lines == lines)
  }
}
