import System

/// Counts the recent calls of all hw processes to one service.
///
/// Pure: the time is a parameter, and `RateLedgerFile` stores it. Calls are counted in steps of a sixtieth of the
/// window; the rules read only these counts, and allow too few calls rather than too many, by at most a step.
///
/// A limit applies to the *service's* windows, and the position of a call in them is known only within
/// `RateLimit.margin`. So a call counts in every window in which the service may count it: near an edge, in both. This
/// causes no wait at an edge as long as there is room on both sides.
struct RateLedger: Equatable, Sendable {
  /// Length of the window in milliseconds. Counts for another length are not comparable.
  private(set) var window: Int64
  /// Both clocks at the last update. If they have advanced by different times, the wall clock was set.
  private(set) var seen: Clocks
  /// Milliseconds since 1970, before which the service accepts no call.
  private(set) var closedUntil: Int64 = 0
  /// Number of the latest step, counted from 1970.
  private(set) var latest: Int64
  /// Calls in the latest steps: a ring buffer, indexed by the number of the step modulo `stepCount`.
  private(set) var counts = [UInt32](repeating: 0, count: RateLedger.stepCount)

  struct Clocks: Equatable, Sendable {
    var now: Int64
    var uptime: Int64

    init(now: Int64, uptime: Int64) {
      self.now = max(0, now)
      self.uptime = max(0, uptime)
    }

    init(_ time: any TimeKeeper) {
      self.init(now: time.now().milliseconds, uptime: time.uptime().wholeMilliseconds)
    }
  }

  /// Steps of a window, of its margins (a tenth of it on each side), and of partial steps.
  static let stepCount = 80
  private static let stepsOfWindow: Int64 = 60
  /// A day, in milliseconds: a service may request a longer wait by mistake.
  private static let longestClosure: Int64 = 86_400_000

  init(_ limit: RateLimit, _ clocks: Clocks) {
    window = limit.length
    seen = clocks
    latest = clocks.now / RateLedger.step(limit.length)
  }

  /// Ledger for an unknown past: assumes that all calls were just made. A wait of one window is better than a ban.
  static func full(_ limit: RateLimit, _ clocks: Clocks) -> RateLedger {
    var ledger = RateLedger(limit, clocks)
    ledger.counts[ledger.place(ledger.latest)] = UInt32(clamping: limit.count)
    return ledger
  }

  func remaining(_ limit: RateLimit) -> Int {
    guard now >= closedUntil else { return 0 }
    return spans(limit, at: now).reduce(limit.count) { max(0, min($0, limit.count - calls(in: $1))) }
  }

  var isClosed: Bool { closedFor > .zero }

  var closedFor: Duration { .milliseconds(max(0, closedUntil - now)) }

  /// Time until every window that may count a call has room for it.
  func wait(_ limit: RateLimit) -> Duration {
    var time = max(now, closedUntil)
    while let full = spans(limit, at: time).last(where: { calls(in: $0) >= limit.count }) {
      time = firstInstant(limit, after: full)
    }
    return .milliseconds(time - now)
  }

  /// Milliseconds since 1970. If the clock went back a little, the time stands still until it has caught up.
  private var now: Int64 { max(seen.now, latest * stepLength) }

  /// Windows, with their margins, in which the service may count a call at `now`. Each needs room for it.
  private func spans(_ limit: RateLimit, at now: Int64) -> [Range<Int64>] {
    let margin = limit.margin
    switch limit.window {
    case .sliding:
      return [now - limit.length - margin..<now + 1]
    case .fixed:
      let windows = (now - margin) / limit.length...(now + margin) / limit.length
      return windows.map { $0 * limit.length - margin..<($0 + 1) * limit.length + margin }
    }
  }

  /// First instant after a full span at which the window of a call may have room.
  private func firstInstant(_ limit: RateLimit, after span: Range<Int64>) -> Int64 {
    guard limit.window == .sliding else { return span.upperBound }
    var left = calls(in: span)
    for step in steps(in: span) {
      left -= Int(counts[place(step)])
      // A sliding window that ends at this instant begins after the step.
      if left < limit.count { return (step + 1) * stepLength + limit.length + limit.margin }
    }
    return span.upperBound
  }

  private func calls(in span: Range<Int64>) -> Int {
    steps(in: span).reduce(0) { $0 + Int(counts[place($1)]) }
  }

  private func steps(in span: Range<Int64>) -> Range<Int64> {
    let first = max(0, span.lowerBound / stepLength, latest - Int64(RateLedger.stepCount) + 1)
    let last = min((span.upperBound - 1) / stepLength, latest)
    return first..<max(first, last + 1)
  }

  private var stepLength: Int64 { RateLedger.step(window) }
  private static func step(_ window: Int64) -> Int64 { (window + stepsOfWindow - 1) / stepsOfWindow }
  private func place(_ step: Int64) -> Int { Int(step % Int64(RateLedger.stepCount)) }

  /// Counts a call made now if it is allowed, and otherwise returns the time until it is.
  mutating func take(_ limit: RateLimit) -> Duration {
    let wait = wait(limit)
    if wait == .zero { counts[place(latest)] += 1 }
    return wait
  }

  mutating func close(for wait: Duration) {
    closedUntil = max(closedUntil, now + min(wait.wholeMilliseconds, RateLedger.longestClosure))
  }

  /// Advances to the present.
  ///
  /// If the wall clock was set forward since the last update, past calls are moved with it, so that their age does not
  /// change. (A restart of the machine hides that, since its uptime starts again.) If the clock was set back, past
  /// calls seem more recent than they are; if they lie in the future, the past is unknown.
  mutating func advance(_ limit: RateLimit, to clocks: Clocks) {
    guard window == limit.length else {
      self = .full(limit, clocks)
      return
    }
    var past = latest
    let elapsed = clocks.uptime - seen.uptime
    let jump = clocks.now - seen.now - elapsed
    if elapsed >= 0, jump > limit.margin {
      closedUntil += jump
      past += (jump + stepLength - 1) / stepLength
    }
    let present = clocks.now / stepLength
    // A slewed clock goes back a little without being set: by less than a step.
    guard past - present <= 1, closedUntil - clocks.now < RateLedger.longestClosure + stepLength else {
      self = .full(limit, clocks)
      return
    }
    move(from: past, to: max(past, present))
    seen = clocks
  }

  /// Renumbers the steps so that the latest is `past`, and adds empty steps up to `present`.
  private mutating func move(from past: Int64, to present: Int64) {
    let stepCount = Int64(RateLedger.stepCount)
    var moved = [UInt32](repeating: 0, count: RateLedger.stepCount)
    for age in 0..<max(0, stepCount - (present - past)) {
      moved[place(past - age + stepCount)] = counts[place(latest - age + stepCount)]
    }
    latest = present
    counts = moved
  }

  /// Size of every ledger: one write replaces the last one, so the file is complete even if a process is killed.
  static let size = 8 * 6 + 4 * stepCount + 8
  private static let magic: Int64 = 0x0031_5f72_6567_6c77  // "wlger_1": the layout's version

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(RateLedger.size)
    func append(_ number: some FixedWidthInteger) {
      for shift in stride(from: 0, to: number.bitWidth, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number >> shift))
      }
    }
    for number in [RateLedger.magic, window, seen.now, seen.uptime, closedUntil, latest] { append(number) }
    for count in counts { append(count) }
    bytes += SHA256.hash(bytes).prefix(8)
    return bytes
  }

  /// Returns nil for bytes that are damaged or of another version.
  init?(_ bytes: [UInt8]) {
    let end = RateLedger.size - 8
    guard bytes.count == RateLedger.size, SHA256.hash(Array(bytes[..<end])).prefix(8) == bytes[end...] else {
      return nil
    }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let words = (0..<6).map { Int64(bitPattern: number($0 * 8..<$0 * 8 + 8)) }
    // Far from overflow: the checksum detects damage, not malice.
    guard words[0] == RateLedger.magic, words[1] > 0, words[1...].allSatisfy({ (0..<1 << 52).contains($0) }),
      words[5] < (1 << 53) / RateLedger.step(words[1])
    else { return nil }
    window = words[1]
    seen = Clocks(now: words[2], uptime: words[3])
    closedUntil = words[4]
    latest = words[5]
    counts = (0..<RateLedger.stepCount).map { UInt32(truncatingIfNeeded: number(48 + $0 * 4..<52 + $0 * 4)) }
  }
}

/// The ledger of one host, in a file that all hw processes share.
///
/// An update costs one open, lock, read, write and close; the clock is read under the lock, so that the calls are in
/// the order of their slots. A damaged ledger is replaced by `RateLedger.full`.
struct RateLedgerFile {
  private let path: String

  init(_ url: URL, in folder: String) throws(Failure) {
    try Folder.make(folder)
    let name = (url.scheme == .unix ? url.socket : url.authority).utf8.map { byte in
      PercentEncoding.isUnreserved(byte) ? byte : UInt8(ascii: "_")
    }
    path = "\(folder)/\(String(decoding: name.suffix(200), as: UTF8.self)).rate"
  }

  /// Advances the ledger to the present, applies `change`, and stores the result.
  func update<Result>(
    _ limit: RateLimit, _ time: any TimeKeeper, _ change: (inout RateLedger) -> Result
  ) throws(Failure) -> Result {
    let file = try LockedFile(path)
    let bytes = try file.read(atMost: RateLedger.size)
    let clocks = RateLedger.Clocks(time)
    var ledger = bytes.isEmpty ? RateLedger(limit, clocks) : RateLedger(bytes) ?? .full(limit, clocks)
    ledger.advance(limit, to: clocks)
    let result = change(&ledger)
    try file.write(ledger.bytes)
    return result
  }
}

extension Timestamp {
  /// Since 1970, rounded down.
  var milliseconds: Int64 { seconds * 1000 + Int64(nanoseconds / 1_000_000) }

  init(milliseconds: Int64) {
    self.init(seconds: milliseconds / 1000, nanoseconds: Int32(milliseconds % 1000) * 1_000_000)
  }
}
