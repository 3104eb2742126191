import System

/// A date in HTTP (RFC 9110, section 5.6.7), in its preferred format, IMF-fixdate.
public enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`
  public static func format(_ time: Timestamp) -> String {
    let wall = WallTime(time)
    let date = wall.day.description.split(separator: "-")
    // The first day was a Thursday; the remainder is negative before it.
    let weekday = weekdays[((wall.day.daysSinceEpoch + 4) % 7 + 7) % 7]
    return "\(weekday), \(date[2]) \(months[wall.day.month - 1]) \(date[0]) \(wall.clockWithSeconds) GMT"
  }

  public static func parse(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 6, weekdays.contains(where: { words[0] == "\($0)," }), words[5] == "GMT",
      let month = months.firstIndex(of: words[2]), words[4].utf8.count == 8
    else { return nil }
    return Timestamp(utc: "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z")
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
