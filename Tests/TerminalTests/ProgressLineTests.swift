import System
import Testing

@testable import Terminal

@Suite struct ProgressLineTests {
  final class Clock: TimeKeeper, @unchecked Sendable {
    var uptimeNow = Duration.zero
    func now() -> Timestamp { Timestamp(seconds: 0) }
    func uptime() -> Duration { uptimeNow }
    func sleep(for duration: Duration) throws(Failure) { uptimeNow += duration }
  }

  let clock = Clock()
  let errors = MemorySink()

  @Test func atMostTenLinesASecond() throws {
    let line = ProgressLine(errors, columns: 20, time: clock)
    var made = 0
    func text() -> String {
      made += 1
      return "row \(made)"
    }
    for _ in 0..<100 {
      try line.show(text())
      try clock.sleep(for: .milliseconds(10))
    }
    #expect(made == 10)
    try line.clear()
    #expect(errors.text.hasPrefix("\rrow 1\u{1B}[K\rrow 2\u{1B}[K"))
    #expect(errors.text.hasSuffix("\rrow 10\u{1B}[K\r\u{1B}[K"))
  }

  @Test func aLongOrWickedTextStaysOnItsLine() throws {
    let line = ProgressLine(errors, columns: 8, time: clock)
    try line.show("a\nbcdefghij")
    #expect(errors.text == "\ra\u{FFFD}bcde…\u{1B}[K")
  }

  @Test func aPipeGetsNothing() throws {
    let line = ProgressLine(errors, columns: nil, time: clock)
    try line.show("half")
    try line.clear()
    #expect(errors.text == "")
  }

  @Test func nothingToClearNothingWritten() throws {
    try ProgressLine(errors, columns: 80, time: clock).clear()
    #expect(errors.text == "")
  }
}
