/// Measures how fast a client accepts its responses, over the last half minute.
///
/// Bytes in the kernel's send buffer do not count: a buffer of several megabytes becomes writable only when a large
/// part of it is free, which with a slow client takes minutes.
struct TransferRate {
  /// A client is too slow if it accepted fewer than `least` bytes a second over this time.
  static let window = Duration.seconds(30)
  static let least = 1000

  private var samples: [(time: Duration, accepted: Int)] = []
  private var sent = 0

  init() {}

  /// Begins the measurement with `buffered` bytes in the send buffer.
  init(at time: Duration, buffered: Int) { samples = [(time, -buffered)] }

  mutating func add(_ count: Int) { sent += count }

  mutating func note(at time: Duration, buffered: Int) {
    samples.append((time, sent - buffered))
    while samples.count > 2, samples[1].time <= time - TransferRate.window { samples.removeFirst() }
  }

  var isTooSlow: Bool {
    guard let first = samples.first, let last = samples.last, last.time - first.time >= TransferRate.window
    else { return false }
    return bytesPerSecond < Double(TransferRate.least)
  }

  /// The rate until the last sample, over at least a second, so that no client is slow because it is new.
  var bytesPerSecond: Double {
    guard let first = samples.first, let last = samples.last else { return 0 }
    return Double(last.accepted - first.accepted) / max(1, (last.time - first.time) / .seconds(1))
  }

  var start: Duration { samples.first?.time ?? .zero }
}
