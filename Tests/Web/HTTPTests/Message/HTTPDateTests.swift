import System
import TestSupport
import Testing

@testable import HTTP

@Suite struct HTTPDateTests {
  @Test func datesAreReadAsRecorded() throws {
    try RecordedText.holdTexts("dates.txt") { ["= \(HTTPDate.parse($0).map { "\($0.seconds)" } ?? "none")"] }
  }

  @Test(arguments: [
    (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
  ])
  func dateIsWrittenInFixedFormat(seconds: Int64, text: String) {
    #expect(HTTPDate.format(Timestamp(seconds: seconds)) == text)
  }

  @Test func formattedDateIsParsed() {
    for seconds in stride(from: Int64(-62_135_596_800), to: 253_402_300_799, by: 86_400 * 997 + 12_345) {
      let time = Timestamp(seconds: seconds)
      #expect(HTTPDate.parse(HTTPDate.format(time)) == time)
    }
  }
}
