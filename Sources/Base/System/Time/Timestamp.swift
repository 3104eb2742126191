import CLibraries

/// Instant, as seconds and nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable {
  public var seconds: Int64
  public var nanoseconds: Int32

  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) { self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec)) }

  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    (a.seconds, a.nanoseconds) < (b.seconds, b.nanoseconds)
  }

  public static func - (a: Timestamp, b: Timestamp) -> Duration {
    // The difference of the seconds can exceed Int64.
    .seconds(a.seconds) - .seconds(b.seconds) + .nanoseconds(Int64(a.nanoseconds) - Int64(b.nanoseconds))
  }
}

extension Timestamp {
  /// Parses `2024-10-22T23:30:00Z`; ignores a fraction of the second: `2024-10-22T23:30:00.123Z`.
  public init?(utc text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let day = CalendarDay(String(decoding: bytes[..<10], as: UTF8.self)),
      Timestamp.isFraction(bytes[19..<bytes.count - 1])
    else { return nil }
    func number(_ start: Int, below bound: Int) -> Int? {
      let (tens, ones) = (bytes[start] &- 48, bytes[start + 1] &- 48)
      let value = Int(tens) * 10 + Int(ones)
      return tens < 10 && ones < 10 && value < bound ? value : nil
    }
    guard let hour = number(11, below: 24), let minute = number(14, below: 60),
      let second = number(17, below: 61)
    else { return nil }
    self.init(seconds: Int64(day.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second))
  }

  /// Parses an instant with its offset from UTC, exactly: `2024-10-22T23:30:00.5+02:00`. Seconds may be missing. Nil
  /// for other texts and for fractions of a nanosecond. `isLocal`: the text has no offset, and is read as if in UTC.
  public init?(exactly text: String, isLocal: Bool = false) {
    // Most times have this form.
    if !isLocal, text.utf8.count == 20, let instant = Timestamp(utc: text) {
      self = instant
      return
    }
    guard text.utf8.count >= 16, case var bytes = Array(text.utf8),
      [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10])
    else { return nil }
    bytes[10] = UInt8(ascii: "T")
    var offset: Int64 = 0
    if !isLocal {
      guard let removed = Timestamp.removeOffset(from: &bytes) else { return nil }
      offset = removed
    }
    if bytes.count == 16 { bytes += Array(":00".utf8) }
    let fraction = String(decoding: bytes.dropFirst(20), as: UTF8.self)
    guard fraction.utf8.count <= 9,
      let start = Timestamp(utc: String(decoding: bytes, as: UTF8.self) + "Z")
    else { return nil }
    let nanoseconds = Int32(fraction + String(repeating: "0", count: 9 - fraction.utf8.count)) ?? 0
    self.init(seconds: start.seconds - offset, nanoseconds: nanoseconds)
  }

  /// Removes the offset from UTC at the end of a time with a date, and returns it in seconds.
  private static func removeOffset(from bytes: inout [UInt8]) -> Int64? {
    guard let sign = bytes.dropFirst(16).lastIndex(where: { "+-".utf8.contains($0) }) else {
      return bytes.removeLast() | 0x20 == UInt8(ascii: "z") ? 0 : nil
    }
    var digits = bytes[(sign + 1)...]
    if digits.count == 5, digits[sign + 3] == UInt8(ascii: ":") { digits.remove(at: sign + 3) }
    if digits.count == 2 { digits += "00".utf8 }
    guard digits.count == 4, digits.allSatisfy(\.isASCIIDigit),
      let clock = Int64(String(decoding: digits, as: UTF8.self)), clock < 2400, clock % 100 < 60
    else { return nil }
    let direction: Int64 = bytes[sign] == UInt8(ascii: "-") ? -1 : 1
    // git and PostgreSQL write `10:00:00 +0000` and `10:00:00+00`.
    bytes.removeSubrange((bytes[sign - 1] == UInt8(ascii: " ") ? sign - 1 : sign)...)
    return direction * (clock / 100 * 3600 + clock % 100 * 60)
  }

  /// A point and digits, or nothing.
  private static func isFraction(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isEmpty
      || bytes.first == UInt8(ascii: ".") && bytes.count > 1 && bytes.dropFirst().allSatisfy(\.isASCIIDigit)
  }

  /// `2024-10-22T23:30:00Z` (RFC 3339).
  public var utc: String { "\(utcSeconds)Z" }

  /// `2024-10-22T23:30:00.123Z`
  public var utcWithMilliseconds: String {
    "\(utcSeconds).\(String(nanoseconds / 1_000_000).zeroPadded(to: 3))Z"
  }

  /// Time for file names, which sort by it: `2024-10-22T233000Z`.
  public var utcForFileNames: String { utc.replacing(":", with: "") }

  /// Inverse of `utcForFileNames`; nil for any other text.
  public init?(utcInFileName text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 18 else { return nil }
    let colon = [UInt8(ascii: ":")]
    self.init(
      utc: String(decoding: bytes[..<13] + colon + bytes[13..<15] + colon + bytes[15...], as: UTF8.self))
  }

  private var utcSeconds: String { WallTime(self).seconds.replacing(" ", with: "T") }
}

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
