import System
import Testing

@Suite("CalendarDay")
struct CalendarDayTests {
  @Test(arguments: [
    "2022-13-99", "2022-13-01", "2022/03-08", "2022-03/08", "2022-0a-08",
    "2022-00-01", "2022-01-00", "2022-04-31", "2023-02-29", "1900-02-29", "0000-01-01", "",
    "2022-3-8", "2022-03-8", "22-03-08", "2022/03/08", "20220308", " 2022-03-08", "2022-03-08 ",
    "2022-03-08T00:00:00Z", "-022-03-08", "+022-03-08", "２０22-03", "٢-03-08", "2022-03-0a",
  ])
  func textOfNoDayIsRefused(_ text: String) {
    #expect(CalendarDay(text) == nil)
    #expect(CalendarDay(utf8: Array(text.utf8).span.bytes) == nil)
  }

  @Test(arguments: [
    ("1970-01-01", 0), ("1969-12-31", -1), ("1970-03-01", 59), ("2000-02-29", 11_016),
    ("2022-03-08", 19_059), ("2024-02-29", 19_782), ("0001-01-01", -719_162), ("9999-12-31", 2_932_896),
  ])
  func daysAreCountedFromEpoch(_ text: String, _ days: Int) {
    #expect(CalendarDay(text)?.daysSinceEpoch == days)
    #expect(CalendarDay(daysSinceEpoch: days).description == text)
  }

  @Test func everyDayOfEightCenturiesFollowsOneBefore() {
    var before = CalendarDay(daysSinceEpoch: -146_097)
    for days in -146_096...146_097 {
      let day = CalendarDay(daysSinceEpoch: days)
      guard day > before, day.daysSinceEpoch == days,
        CalendarDay(year: day.year, month: day.month, day: day.day) == day
      else {
        Issue.record("\(day) after \(before)")
        return
      }
      before = day
    }
  }

  /// Before the first day that can be written.
  @Test(arguments: [(-719_468, 0, 3, 1), (-719_469, 0, 2, 29), (-719_528, 0, 1, 1), (-719_529, -1, 12, 31)])
  func earlierDays(_ days: Int, _ year: Int, _ month: Int, _ day: Int) {
    let found = CalendarDay(daysSinceEpoch: days)
    #expect([found.year, found.month, found.day] == [year, month, day])
  }

  @Test(arguments: [(2023, 28), (2024, 29), (1900, 28), (2000, 29)])
  func monthsHaveTheirLengths(_ year: Int, _ days: Int) {
    #expect(CalendarDay.length(ofMonth: 2, year: year) == days)
    #expect(
      (1...12).filter { $0 != 2 }.map { CalendarDay.length(ofMonth: $0, year: year) }
        == [31, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
  }
}

@Suite struct WallTimeTests {
  @Test(
    arguments: [
      (0, 0, "1970-01-01 00:00:00"), (-1, 0, "1969-12-31 23:59:59"),
      (1_767_225_600, 3600, "2026-01-01 01:00:00"),
      (1_767_225_600, -3600, "2025-12-31 23:00:00"), (1_709_210_096, 0, "2024-02-29 12:34:56"),
      (36_610, 0, "1970-01-01 10:10:10"), (-86_400, 0, "1969-12-31 00:00:00"),
    ] as [(Int64, Int64, String)])
  func seconds(_ seconds: Int64, _ offset: Int64, _ text: String) {
    #expect(WallTime(Timestamp(seconds: seconds), offset: offset).seconds == text)
  }

  /// Whatever number a service sends, there is no trap.
  @Test(arguments: [Int64.max, .min, .max - 1])
  func extremeTimestampsDoNotTrap(_ seconds: Int64) {
    #expect(!WallTime(Timestamp(seconds: seconds), offset: 3600).seconds.isEmpty)
    #expect(SystemTime().offset(at: Timestamp(seconds: .max)) == 0)
  }

  @Test(
    arguments: [
      (0, "1970-01-01 00:00", "1970-01-01 00:00:00+00:00"),
      (34_200, "1970-01-01 09:30", "1970-01-01 09:30:00+09:30"),
      (-12_600, "1969-12-31 20:30", "1969-12-31 20:30:00-03:30"),
      (36_600, "1970-01-01 10:10", "1970-01-01 10:10:00+10:10"),
      // The seconds of an offset are left out.
      (-4172, "1969-12-31 22:50", "1969-12-31 22:50:28-01:09"),
    ] as [(Int64, String, String)])
  func secondsShowTheOffset(_ zone: Int64, _ minutes: String, _ seconds: String) {
    let time = WallTime(Timestamp(seconds: 0), offset: zone, showsOffset: true)
    #expect(time.minutes == minutes)
    #expect(time.seconds == seconds)
  }

  @Test func withoutAnOffsetNoneIsShown() {
    let time = WallTime(Timestamp(seconds: 3661))
    #expect(time.minutes == "1970-01-01 01:01" && time.clock == "01:01")
    #expect(time.clockWithSeconds == "01:01:01")
  }
}
