import System

/// The clock of a replay: that of the recording. Requests and tables that depend on the date are then those of the
/// command that was recorded, in every month and every time zone.
public struct RecordedClock: TimeKeeper {
  private let inner: any TimeKeeper
  private let start: RecordedTime
  private let uptimeAtStart: Duration

  /// Starts at the time in the first exchange of the recording. Nil without a recording, or if it has no time.
  public init?(of folder: String, _ inner: any TimeKeeper) throws(Failure) {
    guard let start = try Recording.time(folder) else { return nil }
    self.inner = inner
    self.start = start
    uptimeAtStart = inner.uptime()
  }

  public func now() -> Timestamp {
    let elapsed = (inner.uptime() - uptimeAtStart).components
    return Timestamp(
      seconds: start.time.seconds + elapsed.seconds, nanoseconds: Int32(elapsed.attoseconds / 1_000_000_000))
  }

  public func uptime() -> Duration { inner.uptime() }
  public func sleep(for duration: Duration) throws(Failure) { try inner.sleep(for: duration) }
  public func offset(at time: Timestamp) -> Int64 { start.offset }
}

/// When a command was recorded, and how far its local time was ahead of UTC: `2026-11-22 19:04:09+01:00`.
struct RecordedTime: Equatable {
  var time: Timestamp
  /// In seconds.
  var offset: Int64

  init(_ clock: any TimeKeeper) {
    time = Timestamp(seconds: clock.now().seconds)
    // As exact as it is written.
    offset = clock.offset(at: time) / 60 * 60
  }

  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 25, let day = CalendarDay(String(text.prefix(10))), bytes[10] == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
      bytes[19] == UInt8(ascii: "+") || bytes[19] == UInt8(ascii: "-")
    else { return nil }
    func number(_ start: Int, below end: Int64) -> Int64? {
      let digits = bytes[start..<start + 2]
      guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
      let number = Int64(digits[start] - 48) * 10 + Int64(digits[start + 1] - 48)
      return number < end ? number : nil
    }
    guard let hour = number(11, below: 24), let minute = number(14, below: 60),
      let second = number(17, below: 60), let hours = number(20, below: 24),
      let minutes = number(23, below: 60)
    else { return nil }
    offset = (hours * 3600 + minutes * 60) * (bytes[19] == UInt8(ascii: "-") ? -1 : 1)
    time = Timestamp(
      seconds: Int64(day.daysSinceEpoch) * 86_400 + hour * 3600 + minute * 60 + second - offset)
  }

  var text: String { WallTime(time, zone: offset).seconds }
}
