extension Timestamp {
  /// `2024-10-22T23:30:00Z`, with or without milliseconds.
  public init?(utc text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let day = CalendarDay(String(decoding: bytes[..<10], as: UTF8.self))
    else { return nil }
    func number(_ start: Int, below bound: Int) -> Int? {
      let digits = bytes[start..<start + 2].map { Int($0) - 48 }
      guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
      let value = digits[0] * 10 + digits[1]
      return value < bound ? value : nil
    }
    guard let hour = number(11, below: 24), let minute = number(14, below: 60),
      let second = number(17, below: 61)
    else { return nil }
    self.init(seconds: Int64(day.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + second))
  }
}
