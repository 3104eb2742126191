import System
import Testing

@testable import Output

/// A message can quote what a service sent, and so can a hint.
@Suite struct HostileFailureTests {
  @Test func neitherLineControlsTheTerminal() {
    let failure = Failure(.usage, "bad\u{1B}[2J\n\u{202E}", hint: "first\u{1B}c\nsecond\u{7}")
    let text = FailureReport.text(failure)
    #expect(text == "hw: bad\u{FFFD}[2J\u{FFFD}\u{FFFD}\n    first\u{FFFD}c\n    second\u{FFFD}\n")
  }
}
