import System

/// Limits the uses of each key: `count` times within a period, all at once or spread over it.
///
/// A key has one time, at which its use is forgotten completely (the generic cell rate algorithm). Memory is bounded:
/// keys are in two tables; when the newer one is full it becomes the older one, whose keys are forgotten unless they
/// are used again. So many other keys can only make a key forgotten that is not in use.
struct RateLimiter<Key: Hashable> {
  private let interval: Duration
  private let period: Duration
  private let capacity: Int
  private var newer: [Key: Duration] = [:]
  private var older: [Key: Duration] = [:]

  init(_ count: Int, per period: Duration, capacity: Int = 16_384) {
    interval = period / max(1, count)
    self.period = period
    self.capacity = capacity
  }

  var keyCount: Int { newer.count + older.count }

  /// Counts one use. Returns the time to wait instead if the limit is exceeded.
  mutating func use(_ key: Key, at now: Duration) -> Duration? {
    let end = max(newer[key] ?? older[key] ?? now, now) + interval
    let excess = end - now - period
    // A refused key is in use too.
    remember(key, excess > .zero ? end - interval : end)
    return excess > .zero ? excess : nil
  }

  /// Returns the time to wait for the next use, if any. Counts nothing.
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
