import System
import Testing

@testable import Command

@Suite struct DayValueTests {
  @Test(
    arguments: [
      ("2022-03-08", "2022-03-08"), ("today", "2024-03-01"), ("yesterday", "2024-02-29"),
      ("0d", "2024-03-01"), ("abcd-01-02", nil), ("2022-+1-02", nil), ("0000-01-02", nil),
      ("2d", "2024-02-28"), ("07d", "2024-02-23"), ("99999d", "1750-05-18"), ("100000d", nil), ("d", nil),
      ("-1d", nil), ("+1d", nil), ("1 d", nil), ("1D", nil), ("1w", nil), ("Today", nil), ("2022-3-8", nil),
      ("2022-02-30", nil), ("", nil), ("7", nil),
    ] as [(String, String?)])
  func dayIsCountedFromToday(text: String, day: String?) throws {
    let today = try #require(CalendarDay("2024-03-01"))
    #expect(DayValue(text)?.day(today: today).description == day)
    #expect(day != nil || (DayValue.problem(text) == nil) == (text != "2022-02-30"))
  }
}
