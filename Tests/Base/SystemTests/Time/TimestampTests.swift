import Testing

@testable import System

@Suite struct TimestampTests {
  @Test(
    arguments: [
      ("2022-11-04T00:00:00Z", 1_667_520_000), ("2022-11-04T00:00:00.5Z", 1_667_520_000),
      ("2022-11-04T23:59:60.123456789Z", 1_667_606_400), ("1969-12-31T23:59:59Z", -1),
    ] as [(String, Int64)])
  func read(_ text: String, _ seconds: Int64) { #expect(Timestamp(utc: text)?.seconds == seconds) }

  @Test(arguments: [
    "", "Z", "2022-11-04T00:00:00", "2022-11-04T00:00:00z", "2022-11-04T00:00:00.5",
    "2022-11-04T00:00:00 whatever Z", "2022-11-04T00:00:00.Z", "2022-11-04T00:00:00.1xZ",
    "2022-11-04T00:00:00.1.2Z", "2022-11-04T00:00:00+01:00Z", "2022-11-04T00:00:00,5Z",
    "2022-11-04T00:00:00ZZ", "2022-11-04T00:00:00.\u{0661}Z", "2022-11-04 00:00:00Z", "2022-11-31T00:00:00Z",
    "2022-11-04T24:00:00Z", "2022-11-04T00:60:00Z", "2022-11-04T00:00:61Z", "2022-11-04T00-00:00Z",
    "2022-11-04T00:00-00Z", "2022-11-04T0x:00:00Z", "2022-11-04T00:0x:00Z", "2022-11-04T00:00:0xZ",
    "2022-11-04T00:00:00.123+Z", "2022-11-04T00:00:000Z", "2022-11-04T-1:00:00Z", "2022-11-04T0:00:000Z",
  ])
  func refused(_ text: String) { #expect(Timestamp(utc: text) == nil) }

  @Test(arguments: [
    ("1970-01-01T00:00:07Z", 7, 0), ("1970-01-01 00:00:07z", 7, 0), ("1970-01-01t02:00:07+02:00", 7, 0),
    ("1969-12-31T19:00:07-0500", 7, 0), ("1970-01-01T00:01Z", 60, 0), ("1970-01-01T05:46+05:45", 60, 0),
    ("1970-01-01 02:00:07 +0200", 7, 0), ("1970-01-01 02:00:07+02", 7, 0),
    ("1970-01-01T00:00:07.25Z", 7, 250_000_000), ("1970-01-01T01:00:07.000000001+01:00", 7, 1),
  ])
  func instantIsReadWithItsOffset(_ text: String, _ seconds: Int64, _ nanoseconds: Int32) {
    #expect(Timestamp(exactly: text) == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(Timestamp(exactly: text, isLocal: true) == nil)
  }

  @Test(arguments: ["1970-01-01T00:01", "1970-01-01 00:01:00", "1970-01-01T00:01:00.000"])
  func localTimeIsReadAsUTC(_ text: String) {
    #expect(Timestamp(exactly: text, isLocal: true) == Timestamp(seconds: 60))
    #expect(Timestamp(exactly: text) == nil)
  }

  @Test(arguments: [
    "", "1970-01-01", "1970-01-01T00:00:07.0000000001Z", "1970-01-01T00:00:07+24:00",
    "1970-01-01T00:00:07+01:60", "1970-01-01T00:00:07+1:00", "1970-01-01T00:00:07+010:0",
    "1970-01-01T00:00:07+-1:00", "1970-01-01T00:00:07+01.00", "1970-01-01X00:00:07Z", "1970-13-01T00:00:07Z",
    "1970-01-01T00:00:07ZZ",
    "1970-01-01T00:00:07,5Z", "1970-01-01T00:00:07.Z", "1970-01-01T24:00:07Z",
  ])
  func otherTextIsNoInstant(_ text: String) {
    #expect(Timestamp(exactly: text) == nil && Timestamp(exactly: text, isLocal: true) == nil)
  }

  @Test(arguments: [
    (Timestamp(seconds: 0), "1970-01-01T00:00:00Z", ".000Z", "1970-01-01T000000Z"),
    (
      Timestamp(seconds: 1_667_606_399, nanoseconds: 7_999_999), "2022-11-04T23:59:59Z", ".007Z",
      "2022-11-04T235959Z"
    ),
    (Timestamp(seconds: -1, nanoseconds: 999_000_000), "1969-12-31T23:59:59Z", ".999Z", "1969-12-31T235959Z"),
  ])
  func written(_ time: Timestamp, _ text: String, _ milliseconds: String, _ name: String) {
    #expect(time.utc == text && time.utcWithMilliseconds == text.dropLast() + milliseconds)
    #expect(time.utcForFileNames == name)
    #expect(
      Timestamp(utcInFileName: name)?.seconds == time.seconds && Timestamp(utc: text)?.seconds == time.seconds
    )
  }

  @Test(arguments: [
    "", "2022-11-04T235959", "2022-11-04T235959ZZ", "2022-11-04T23:59:59Z", "2022-11-04T236059Z",
  ])
  func noNameOfAFile(_ text: String) { #expect(Timestamp(utcInFileName: text) == nil) }
}
