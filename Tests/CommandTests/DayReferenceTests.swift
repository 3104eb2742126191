import System
import Testing

@testable import Command

@Suite struct DayReferences {
  @Test(
    arguments: [
      ("2024-02-29", "2024-02-29", "2024-02-29"), ("today", "2024-03-01", "today"),
      ("0d", "2024-03-01", "today"), ("yesterday", "2024-02-29", "yesterday"),
      ("1d", "2024-02-29", "yesterday"), ("07d", "2024-02-23", "7d"), ("99999d", "1750-05-18", "99999d"),
    ])
  func textNamesDay(text: String, day: String, shown: String) throws {
    let today = try #require(CalendarDay("2024-03-01"))
    let reference = try #require(DayReference(text))
    #expect(reference.day(today: today).description == day && reference.description == shown)
  }

  @Test(arguments: [
    "", "d", "Today", "-1d", "+1d", "1 d", "1D", "1.5d", "7", "100000d", "2024-02-30", "2024-3-1", "tomorrow",
  ])
  func otherTextNamesNoDay(text: String) { #expect(DayReference(text) == nil) }
}
