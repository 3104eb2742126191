import System

extension Duration {
  /// Rounded up, so that nobody who waits that long comes too early.
  var wholeSeconds: Int {
    let (seconds, rest) = components
    return Int(seconds) + (rest > 0 ? 1 : 0)
  }

  /// Rounded up.
  var wholeMilliseconds: Int64 {
    let (seconds, rest) = components
    return seconds * 1000 + (rest + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}

extension Timestamp {
  /// Since 1970, rounded down.
  var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

  init(milliseconds: Int64) {
    self.init(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }
}
