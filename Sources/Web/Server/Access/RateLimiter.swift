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
    let end = end(of: key, at: now)
    let wait = wait(until: end, at: now)
    // A refused key is in use too.
    remember(key, wait == nil ? end + interval : end)
    return wait
  }

  /// Counts a use again as many times as fit in `length`.
  mutating func extend(_ key: Key, by length: Duration, at now: Duration) {
    remember(key, end(of: key, at: now) + max(.zero, length - interval))
  }

  /// Returns the time to wait for the next use, if any. Counts nothing.
  func wait(_ key: Key, at now: Duration) -> Duration? {
    wait(until: end(of: key, at: now), at: now)
  }

  /// The instant at which the uses of a key are forgotten.
  private func end(of key: Key, at now: Duration) -> Duration { max(newer[key] ?? older[key] ?? now, now) }

  private func wait(until end: Duration, at now: Duration) -> Duration? {
    let excess = end + interval - now - period
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
