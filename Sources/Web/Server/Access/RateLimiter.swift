import System

/// Limits how often something may happen per key: `count` times within a period, all at once or spread over it.
///
/// A key has one time, at which its use is forgotten completely (the generic cell rate algorithm). Memory is bounded:
/// keys are in two tables; when the newer one is full it becomes the older one, whose keys are forgotten unless they
/// were used meanwhile. So many other keys can only make a key forgotten that is not in use.
struct RateLimiter<Key: Hashable> {
  private let interval: Duration
  private let period: Duration
  private let capacity: Int
  private var newer: [Key: Duration] = [:]
  private var older: [Key: Duration] = [:]

  /// `capacity` is the size of each of the two tables.
  init(_ count: Int, per period: Duration, capacity: Int = 16_384) {
    interval = period / max(1, count)
    self.period = period
    self.capacity = capacity
  }

  var keyCount: Int { newer.count + older.count }

  /// Counts one use. If that is one too many, it does not count, and the result is how long to wait.
  mutating func use(_ key: Key, at now: Duration) -> Duration? {
    let end = max(newer[key] ?? older[key] ?? now, now) + interval
    // A remainder of the division does not cost the last use of the period.
    let excess = end - now - period
    // A key that is refused is in use too.
    remember(key, excess > .zero ? end - interval : end)
    return excess > .zero ? excess : nil
  }

  /// How long to wait for the next use; nil if one is possible now. Counts nothing.
  func wait(_ key: Key, at now: Duration) -> Duration? {
    let excess = max(newer[key] ?? older[key] ?? now, now) + interval - now - period
    return excess > .zero ? excess : nil
  }

  private mutating func remember(_ key: Key, _ end: Duration) {
    if newer.count >= capacity, newer[key] == nil {
      older = newer
      newer = [:]
    }
    newer[key] = end
  }
}
