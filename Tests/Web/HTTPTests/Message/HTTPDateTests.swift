import System
import Testing

@testable import HTTP

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
    ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func dateIsRead(text: String, seconds: Int64) {
    #expect(HTTPDate.parse(text) == Timestamp(seconds: seconds))
  }

  @Test(arguments: [
    "", "0", "-1", "Sun", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
    "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
    "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
    "Sun, 06 Nov 1994 08:49 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT",
    "Sun Nov 6 08:49:37 99999", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
    "Sunday, 06-Nov-94 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Sun 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94-1 08:49:37 GMT", "Sunday, 06--Nov-94 08:49:37 GMT",
    "Sun, 06 Nov 1994 08::49:37 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
  ])
  func malformedDateIsRefused(text: String) {
    #expect(HTTPDate.parse(text) == nil)
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
