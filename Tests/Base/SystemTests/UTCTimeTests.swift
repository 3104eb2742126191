import Testing

@testable import System

@Suite struct UTCTimeTests {
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
