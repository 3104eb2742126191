import System

/// Replays the time of a recording, so that what depends on the date is as recorded, in every month and time zone.
public struct RecordedClock: TimeKeeper {
  private let inner: any TimeKeeper
  private let start: RecordedTime
  private let uptimeAtStart: Duration

  /// Starts at the time in the first exchange. Returns nil without a recording, or if it has no time.
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

/// The time of a recorded command, with the offset of its local time from UTC: `2026-11-22 19:04:09+01:00`.
struct RecordedTime: Equatable {
  var time: Timestamp
  var offset: Int64

  init(_ clock: any TimeKeeper) {
    time = Timestamp(seconds: clock.now().seconds)
    // An offset is written without seconds.
    offset = clock.offset(at: time) / 60 * 60
  }

  init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 25, bytes[10] == UInt8(ascii: " "), "+-".utf8.contains(bytes[19]),
      let time = Timestamp(exactly: String(text)),
      let local = Timestamp(exactly: String(text.prefix(19)), isLocal: true)
    else { return nil }
    self.time = time
    offset = local.seconds - time.seconds
  }

  var text: String { WallTime(time, offset: offset, showsOffset: true).seconds }
}
