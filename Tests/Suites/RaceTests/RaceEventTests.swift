import System
import Testing

@testable import Race

/// What is said of an event, in the result and on standard error.
@Suite struct RaceEventTests {
  private static func event(_ kind: RaceEvent.Kind, _ change: (inout RaceEvent) -> Void = { _ in })
    -> RaceEvent
  {
    var event = RaceEvent(kind: kind)
    change(&event)
    return event
  }

  private static let ab = [Bee(name: "A", color: ""), Bee(name: "B", color: "")]

  @Test(
    arguments: [
      (event(.start) { $0.duration = .seconds(26) }, "0.0 s  start: 0:26 to go", nil, nil),
      (event(.start), "0.0 s  start: ? to go", nil, nil),
      (
        event(.standings) { ($0.elapsed, $0.bees) = (.milliseconds(2550), ab) }, "2.6 s  1st A, 2nd B", nil,
        nil
      ),
      (event(.standings) { $0.bees = [] }, "0.0 s  the race has no bees", nil, nil),
      (
        event(.captcha) { $0.captchaUrl = "https://a/b" }, nil,
        "the service requires a CAPTCHA: https://a/b", nil
      ),
      (event(.resumed), nil, "the CAPTCHA is solved: the race continues", nil),
      (
        event(.rateLimited) { $0.wait = .milliseconds(20_449) }, nil,
        "rate limited: next poll in 20.4 s; the race continues", nil
      ),
      (
        event(.retry) { ($0.message, $0.wait) = ("lost", .milliseconds(2500)) }, nil,
        "lost; next attempt in 2.5 s", nil
      ),
      (event(.error) { $0.message = "lost" }, nil, nil, .failed),
      (
        event(.finish) { ($0.elapsed, $0.winner) = (.seconds(26), "A") }, "26.0 s  winner: A", nil, .finished
      ),
      (event(.finish) { $0.isProvisional = false }, "0.0 s  finish: the race had no bees", nil, .finished),
      (
        event(.finish) { ($0.leader, $0.isProvisional) = ("A", true) },
        "0.0 s  finish: not observed; last leader: A", nil, .provisional
      ),
      (
        event(.finish) { $0.isProvisional = true },
        "0.0 s  finish: not observed; the last standings had no bees", nil,
        .provisional
      ),
    ] as [(RaceEvent, String?, String?, RaceRecording.End?)])
  func eventHasSentenceNoteAndEnd(event: RaceEvent, sentence: String?, note: String?, end: RaceRecording.End?)
  {
    #expect(event.sentence == sentence)
    #expect(event.note == note)
    #expect(event.end == end)
  }

  @Test(
    arguments: [
      ("A", nil, "🏆 A wins"), ("A", false, "🏆 A wins"), (nil, false, "Nobody was in the race"),
      ("A", true, "The finish was not seen"), (nil, true, "The finish was not seen"),
    ] as [(String?, Bool?, String)])
  func theTitleOfItsScreen(winner: String?, isProvisional: Bool?, title: String) {
    let event = Self.event(.finish) { ($0.winner, $0.isProvisional) = (winner, isProvisional) }
    #expect(event.title == title)
  }

  @Test func eventIsReadAsWritten() throws {
    let full = Self.event(.finish) {
      $0.seq = 2
      $0.elapsed = .milliseconds(1500)
      $0.remaining = .milliseconds(250)
      $0.duration = .seconds(26)
      $0.bees = Self.ab
      $0.captchaUrl = "https://a/b"
      $0.wait = .milliseconds(1)
      $0.message = "lost"
      $0.race = "7"
      $0.winner = "A"
      $0.leader = "A"
      $0.isProvisional = false
    }
    let bare = Self.event(.resumed) { $0.seq = 1 }
    let source = MemorySource(bare.line + full.line)
    #expect(try RaceRecording.read(source, name: "f").map(\.events) == [[bare, full]])
    // Only what is known is written.
    #expect(
      [bare, full].map { String(decoding: $0.line, as: UTF8.self) } == [
        #"{"event":"resumed","seq":1,"elapsed":0}"# + "\n",
        #"{"event":"finish","seq":2,"elapsed":1.5,"remaining":0.25,"duration":26,"#
          + #""beeList":[{"name":"A","color":""},{"name":"B","color":""}],"captchaUrl":"https://a/b","#
          + #""wait":0.001,"message":"lost","race":"7","winner":"A","leader":"A","provisional":false}"#
          + "\n",
      ])
  }

  @Test func theFirstTwentyBeesAreListed() {
    func summary(_ count: Int) -> String { (1...count).map { Bee(name: "b\($0)", color: "") }.summary }
    #expect(summary(1) == "1st b1")
    #expect(summary(20).hasSuffix(", 19th b19, 20th b20"))
    #expect(summary(21).hasSuffix(", 20th b20 and 1 more"))
    #expect(summary(22).hasSuffix(", 20th b20 and 2 more"))
  }

  @Test(arguments: [
    (0, 0, "0.0 s"), (1999, 1, "0.0 s"), (49_999, 49, "0.0 s"), (50_000, 50, "0.1 s"),
    (949_000, 949, "0.9 s"), (950_000, 950, "1.0 s"), (12_500_000, 12_500, "12.5 s"),
  ])
  func tenthsAreRoundedMillisecondsCut(microseconds: Int, milliseconds: Int64, tenths: String) {
    #expect(Duration.microseconds(microseconds).milliseconds == milliseconds)
    #expect(Duration.microseconds(microseconds).tenths == tenths)
  }

  @Test(arguments: [
    (-61_000, "0:00"), (-5, "0:00"), (0, "0:00"), (1, "0:01"), (9_000, "0:09"), (9_001, "0:10"),
    (59_000, "0:59"), (59_001, "1:00"), (600_000, "10:00"),
    (3_599_000, "59:59"), (3_599_001, "1:00:00"), (3_661_000, "1:01:01"), (36_610_000, "10:10:10"),
  ])
  func countdowns(milliseconds: Int, text: String) {
    #expect(Duration.milliseconds(milliseconds).countdown == text)
  }
}
