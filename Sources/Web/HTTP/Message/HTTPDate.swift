import System

/// A date in HTTP (RFC 9110, section 5.6.7), in the one format that is still written.
public enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  public static func format(_ time: Timestamp) -> String {
    let (days, second) = time.seconds.flooredDivision(by: 86_400)
    let date = CalendarDay(daysSinceEpoch: Int(days))
    let weekday = weekdays[Int((days + 4).flooredDivision(by: 7).remainder)]
    let clock = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
    return "\(weekday), \(padded(Int64(date.day), 2)) \(months[date.month - 1])"
      + " \(padded(Int64(date.year), 4)) \(clock) GMT"
  }

  public static func parse(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 6, weekdays.contains(where: { words[0] == "\($0)," }), words[5] == "GMT" else {
      return nil
    }
    return instant(number(words[3], digits: 4), words[2], number(words[1], digits: 2), words[4])
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func instant(_ year: Int?, _ month: String, _ day: Int?, _ time: String) -> Timestamp? {
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
    guard let year, let day, let month = months.firstIndex(of: month), clock.count == 3,
      let date = CalendarDay(year: year, month: month + 1, day: day),
      // 60 is a leap second, counted as the first second of the next minute.
      let hour = clock[0], hour < 24, let minute = clock[1], minute < 60, let second = clock[2], second <= 60
    else { return nil }
    return Timestamp(seconds: Int64(date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second))
  }

  private static func number(_ text: some StringProtocol, digits: Int) -> Int? {
    text.utf8.count == digits && text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text) : nil
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
