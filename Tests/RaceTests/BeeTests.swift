import JSON
import System
import Terminal
import Testing

@testable import Race

@Suite struct Places {
  @Test(arguments: [
    (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th"),
    (21, "21st"), (22, "22nd"), (23, "23rd"), (101, "101st"), (111, "111th"), (112, "112th"),
    (10_000, "10000th"),
  ])
  func ordinal(number: Int, text: String) {
    #expect(Rank(number: number).ordinal == text)
  }

  @Test func threeMedals() {
    #expect((1...5).map { Rank(number: $0).medal } == ["🥇", "🥈", "🥉", nil, nil])
  }
}

@Suite struct Colors {
  @Test(arguments: [
    ("#8d62a1", Style.color(red: 0x8D, green: 0x62, blue: 0xA1)),
    ("#FFF", .color(red: 255, green: 255, blue: 255)),
    ("red", .color(red: 255, green: 0, blue: 0)),
    ("RebeccaPurple", .color(red: 0x66, green: 0x33, blue: 0x99)),
    ("LightGoldenrodYellow", .color(red: 0xFA, green: 0xFA, blue: 0xD2)),
    ("#8d62a1ff", .color(red: 0x8D, green: 0x62, blue: 0xA1)), ("#f008", .color(red: 255, green: 0, blue: 0)),
    ("aliceblue", .color(red: 0xF0, green: 0xF8, blue: 0xFF)),
    ("yellowgreen", .color(red: 0x9A, green: 0xCD, blue: 0x32)), ("reddish", nil), ("#red", nil),
    ("#xyz", nil), ("#12345", nil), ("8d62a1", nil), ("", nil), ("#", nil), ("#é1", nil),
    ("#12345é", nil), ("#8d62a1f", nil), ("#123", .color(red: 0x11, green: 0x22, blue: 0x33)),
    ("#abcz", nil), ("#abcdefg", nil),
  ])
  func drawn(text: String, style: Style?) {
    #expect(Bee(name: "Bee", color: text).style == style)
  }
}

@Suite struct BeeLists {
  @Test func keepTheirOrderAndEqualNames() throws {
    let json = try JSON.parse(#"[{"name":"B","color":"red"},{"name":"A"},{"name":"B","color":null,"x":1}]"#)
    let bees = try [Bee](json)
    #expect(bees == [Bee(name: "B", color: "red"), Bee(name: "A", color: ""), Bee(name: "B", color: "")])
  }

  @Test(arguments: [
    "null", "{}", "3", #"[{"color":"red"}]"#, #"[{"name":7}]"#, #"["Bee"]"#, #"[{"name":"B","color":5}]"#,
  ])
  func thatAreNoneAreInvalidData(text: String) throws {
    let json = try JSON.parse(text)
    #expect { try [Bee](json) } throws: { ($0 as? Failure)?.kind == .invalidData }
  }
}

@Suite struct Countdowns {
  @Test(arguments: [
    (26_000, "0:26"), (25_001, "0:26"), (25_000, "0:25"), (1, "0:01"), (0, "0:00"), (-5, "0:00"),
    (-61_000, "0:00"), (60_000, "1:00"),
    (7_200_000, "2:00:00"),
  ])
  func countTheSecondThatHasBegun(milliseconds: Int, text: String) {
    #expect(Duration.milliseconds(milliseconds).countdown == text)
  }
}
