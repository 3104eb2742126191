/// How fast a client takes the responses that wait for it, over the last half minute.
///
/// Bytes that are in the kernel's send buffer are not taken: a buffer of several megabytes becomes writable only when a
/// large part of it is free, which with a slow client takes minutes.
struct TransferRate {
  /// A client is too slow if it took less than `least` bytes a second over this time.
  static let window = Duration.seconds(30)
  static let least = 1000

  private var marks: [Mark] = []
  private var sent = 0

  private struct Mark {
    let time: Duration
    let taken: Int
  }

  /// Nothing waits.
  init() {}

  /// The wait begins; `buffered` bytes are in the send buffer.
  init(at time: Duration, buffered: Int) {
    marks = [Mark(time: time, taken: -buffered)]
  }

  /// The socket accepted more bytes.
  mutating func add(_ count: Int) { sent += count }

  /// Notes how much has been taken until now.
  mutating func note(at time: Duration, buffered: Int) {
    marks.append(Mark(time: time, taken: sent - buffered))
    while marks.count > 2, marks[1].time <= time - TransferRate.window { marks.removeFirst() }
  }

  /// As of the last note.
  var isTooSlow: Bool {
    guard let first = marks.first, let last = marks.last, last.time - first.time >= TransferRate.window else {
      return false
    }
    return bytesPerSecond < Double(TransferRate.least)
  }

  /// As of the last note. The first second counts whole, so that a client is not slow because it is new.
  var bytesPerSecond: Double {
    guard let first = marks.first, let last = marks.last else { return 0 }
    return Double(last.taken - first.taken) / max(1, (last.time - first.time) / .seconds(1))
  }

  /// When the oldest mark was made.
  var start: Duration { marks.first?.time ?? .zero }
}
