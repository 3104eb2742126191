/// What a calendar and a clock on a wall show: a day and the time of it, in no time zone.
public struct WallTime: Equatable, Sendable {
  public let day: CalendarDay
  public let hour: Int
  public let minute: Int
  public let second: Int

  /// At an instant, where clocks are `offset` seconds ahead of UTC.
  public init(_ time: Timestamp, offset: Int64 = 0) {
    let (sum, overflow) = time.seconds.addingReportingOverflow(offset)
    let seconds = overflow ? time.seconds : sum
    // Rounded down, before 1970 too.
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let ofDay = Int(rest < 0 ? rest + 86_400 : rest)
    day = CalendarDay(daysSinceEpoch: Int(rest < 0 ? days - 1 : days))
    hour = ofDay / 3600
    minute = ofDay / 60 % 60
    second = ofDay % 60
  }

  /// `14:05`
  public var clock: String { "\(WallTime.padded(hour)):\(WallTime.padded(minute))" }

  /// `2026-03-10 14:05`
  public var minutes: String { "\(day) \(clock)" }

  /// `2026-03-10 14:05:01`
  public var seconds: String { "\(minutes):\(WallTime.padded(second))" }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension TimeKeeper {
  /// The clock on the wall here, at that instant.
  public func local(_ time: Timestamp) -> WallTime { WallTime(time, offset: offset(at: time)) }
}
