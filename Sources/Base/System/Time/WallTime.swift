/// Date and time of day in a time zone.
public struct WallTime: Equatable, Sendable {
  public let day: CalendarDay
  public let hour: Int
  public let minute: Int
  public let second: Int
  private let shownOffset: Int64?

  /// Time at `offset` seconds from UTC. `seconds` shows the offset only with `showsOffset`.
  public init(_ time: Timestamp, offset: Int64 = 0, showsOffset: Bool = false) {
    shownOffset = showsOffset ? offset : nil
    let (sum, overflow) = time.seconds.addingReportingOverflow(offset)
    let seconds = overflow ? time.seconds : sum
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let ofDay = Int(rest < 0 ? rest + 86_400 : rest)
    day = CalendarDay(daysSinceEpoch: Int(rest < 0 ? days - 1 : days))
    hour = ofDay / 3600
    minute = ofDay / 60 % 60
    second = ofDay % 60
  }

  /// `14:05`
  public var clock: String { "\(WallTime.padded(hour)):\(WallTime.padded(minute))" }

  /// `14:05:01`
  public var clockWithSeconds: String { "\(clock):\(WallTime.padded(second))" }

  /// `2026-03-10 14:05`, as tables show times.
  public var minutes: String { "\(day) \(clock)" }

  /// `2026-03-10 14:05:01`, with an offset `2026-03-10 14:05:01+01:00`.
  public var seconds: String { "\(day) \(clockWithSeconds)\(offsetText)" }

  /// Offset as `+01:00`, or nothing. Seconds of an offset, which zones had before 1972, are left out.
  private var offsetText: String {
    guard let shownOffset else { return "" }
    let minutes = Int(shownOffset.magnitude / 60)
    return "\(shownOffset < 0 ? "-" : "+")\(WallTime.padded(minutes / 60)):\(WallTime.padded(minutes % 60))"
  }

  static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension TimeKeeper {
  public func local(_ time: Timestamp) -> WallTime {
    WallTime(time, offset: offset(at: time), showsOffset: true)
  }
}
