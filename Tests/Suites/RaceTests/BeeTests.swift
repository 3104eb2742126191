import JSON
import System
import Terminal
import Testing

@testable import Race

@Suite struct BeeTests {
  @Test(arguments: [
    (1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th"),
    (21, "21st"), (22, "22nd"), (23, "23rd"), (101, "101st"), (111, "111th"), (112, "112th"),
    (10_000, "10000th"),
  ])
  func ordinalFollowsNumber(number: Int, text: String) {
    #expect(Rank(number: number).ordinal == text)
  }

  @Test(arguments: [
    ("#8d62a1", Style.filled(red: 0x8D, green: 0x62, blue: 0xA1)),
    ("#FFFFFF", .filled(red: 255, green: 255, blue: 255)), ("red", nil), ("#FFF", nil), ("#8d62a1ff", nil),
    ("#12345", nil), ("8d62a1", nil), ("", nil), ("#", nil), ("#1234é", nil), ("#12345é", nil),
    ("#abcdeg", nil),
  ])
  func colorIsDrawn(text: String, style: Style?) {
    #expect(Bee(name: "Bee", color: text).style == style)
  }

  @Test func beesKeepTheirOrderAndEqualNames() throws {
    let json = try JSON.parse(#"[{"name":"B","color":"red"},{"name":"A"},{"name":"B","color":null,"x":1}]"#)
    let bees = try [Bee](json)
    #expect(bees == [Bee(name: "B", color: "red"), Bee(name: "A", color: nil), Bee(name: "B", color: nil)])
  }

  @Test(arguments: [
    "null", "{}", "3", #"[{"color":"red"}]"#, #"[{"name":7}]"#, #"["Bee"]"#, #"[{"name":"B","color":5}]"#,
  ])
  func otherListIsInvalidData(text: String) throws {
    let json = try JSON.parse(text)
    #expect { try [Bee](json) } throws: { ($0 as? Failure)?.kind == .invalidData }
  }
}
