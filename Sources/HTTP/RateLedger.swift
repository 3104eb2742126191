import System

/// The calls that were made of one service lately: what all hw processes together have used of its limit.
///
/// Pure: it is told the time, and `RateLedgerFile` keeps it. Calls are counted in steps of a sixtieth of the window;
/// the rules read only these counts, and err towards fewer calls by at most a step.
///
/// A limit holds in the *service's* windows, and where a call falls in them is known only to `RateLimit.margin`. So a
/// call counts in every window that the service might count it in: near an edge, in both. Nobody waits at an edge
/// for that while there is room on both sides of it.
public struct RateLedger: Equatable, Sendable {
  /// Milliseconds of the limit's window: counts of another cannot be read as this one's.
  private(set) var window: Int64
  /// Both clocks as they stood at the last look. How they moved against each other since shows that somebody set the
  /// calendar's.
  private(set) var seen: Clocks
  /// The service takes no call before this, in milliseconds since 1970.
  private(set) var closedUntil: Int64 = 0
  /// The number of the latest step, counted from 1970, and the calls of that and the ones before it: a step's count
  /// stands at its number modulo the length.
  private(set) var latest: Int64
  private(set) var counts = [UInt32](repeating: 0, count: RateLedger.length)

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

  /// A window's steps and room for its margins, a tenth of it on each side, with the steps that stick out of them.
  static let length = 80
  private static let stepsOfWindow: Int64 = 60
  /// A service may be wrong about how long it wants to be left alone; after a day it is asked again.
  private static let longestClosure: Int64 = 86_400_000

  /// No calls yet.
  init(_ limit: RateLimit, _ clocks: Clocks) {
    window = limit.length
    seen = clocks
    latest = clocks.now / RateLedger.step(limit.length)
  }

  /// What to go on from when the past cannot be known: as if all calls that the limit allows had just been made. That
  /// costs one window's wait, where taking the past for empty could cost a ban.
  static func full(_ limit: RateLimit, _ clocks: Clocks) -> RateLedger {
    var ledger = RateLedger(limit, clocks)
    ledger.counts[ledger.place(ledger.latest)] = UInt32(clamping: limit.count)
    return ledger
  }
}

// MARK: What it knows

extension RateLedger {
  /// How many calls could be made at once.
  func remaining(_ limit: RateLimit) -> Int {
    guard now >= closedUntil else { return 0 }
    return spans(limit, at: now).map { max(0, limit.count - calls(in: $0)) }.min() ?? limit.count
  }

  /// The service wants to be left alone, whatever the counts say.
  var isClosed: Bool { now < closedUntil }

  /// How long until the next call may be made: zero where it may be made now.
  func wait(_ limit: RateLimit) -> Duration {
    var time = max(now, closedUntil)
    while let full = spans(limit, at: time).last(where: { calls(in: $0) >= limit.count }) {
      time = free(limit, after: full)
    }
    return .milliseconds(time - now)
  }

  /// Where the clock went back a little, time stands still until it is there again.
  private var now: Int64 { max(seen.now, latest * stepLength) }

  /// The spans of time that a call made now must find room in.
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

  /// The first instant that a full span is no matter to.
  private func free(_ limit: RateLimit, after span: Range<Int64>) -> Int64 {
    guard limit.window == .sliding else { return span.upperBound }
    var left = calls(in: span)
    for step in steps(in: span) {
      left -= Int(counts[place(step)])
      // Then the span begins behind this step.
      if left < limit.count { return (step + 1) * stepLength + limit.length + limit.margin }
    }
    return span.upperBound
  }

  private func calls(in span: Range<Int64>) -> Int {
    steps(in: span).reduce(0) { $0 + Int(counts[place($1)]) }
  }

  /// The steps that are kept and touch the span.
  private func steps(in span: Range<Int64>) -> Range<Int64> {
    let first = max(0, span.lowerBound / stepLength, latest - Int64(RateLedger.length) + 1)
    let last = min((span.upperBound - 1) / stepLength, latest)
    return first..<max(first, last + 1)
  }

  private var stepLength: Int64 { RateLedger.step(window) }
  private static func step(_ window: Int64) -> Int64 { (window + stepsOfWindow - 1) / stepsOfWindow }
  private func place(_ step: Int64) -> Int { Int(step % Int64(RateLedger.length)) }
}

// MARK: What happens to it

extension RateLedger {
  /// Notes a call made now, if one may be: else says how long until one may.
  mutating func take(_ limit: RateLimit) -> Duration {
    let wait = wait(limit)
    if wait == .zero { counts[place(latest)] += 1 }
    return wait
  }

  /// The service takes no calls for that long.
  mutating func close(for wait: Duration) {
    closedUntil = max(closedUntil, now + min(wait.wholeMilliseconds, RateLedger.longestClosure))
  }

  /// Moves on to the present.
  ///
  /// Where the calendar's clock was set forward since the last look, what lies behind moves with it and stays as long
  /// ago as it was. (A restart of the machine hides that: its uptime begins anew.) Where the clock was set back, the
  /// past seems more recent than it is; if it lies in the future, it is taken for unknown.
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
    // A clock that is slewed goes back a little without being set.
    guard past - present <= 1, closedUntil - clocks.now <= RateLedger.longestClosure else {
      self = .full(limit, clocks)
      return
    }
    move(from: past, to: max(past, present))
    seen = clocks
  }

  /// Renames the latest step to `past`, then makes `present` the latest.
  private mutating func move(from past: Int64, to present: Int64) {
    guard past != latest || present != latest else { return }
    let length = Int64(RateLedger.length)
    var moved = [UInt32](repeating: 0, count: RateLedger.length)
    for age in 0..<max(0, length - (present - past)) {
      moved[place(past - age + length)] = counts[place(latest - age + length)]
    }
    latest = present
    counts = moved
  }
}

// MARK: As bytes

extension RateLedger {
  /// All of one length: written over the last one in a single call, it is whole whenever a process is killed.
  static let size = 8 * 6 + 4 * length + 8
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

  /// Nil when the bytes are damaged, or another version's.
  init?(_ bytes: [UInt8]) {
    let end = RateLedger.size - 8
    guard bytes.count == RateLedger.size, SHA256.hash(Array(bytes[..<end])).prefix(8) == bytes[end...] else {
      return nil
    }
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
    let words = (0..<6).map { Int64(bitPattern: number($0 * 8..<$0 * 8 + 8)) }
    // Within what arithmetic can bear: the checksum finds damage, not intent.
    guard words[0] == RateLedger.magic, words[1] > 0, words[1...].allSatisfy({ (0..<1 << 52).contains($0) })
    else {
      return nil
    }
    window = words[1]
    seen = Clocks(now: words[2], uptime: words[3])
    closedUntil = words[4]
    latest = words[5]
    counts = (0..<RateLedger.length).map { UInt32(truncatingIfNeeded: number(48 + $0 * 4..<52 + $0 * 4)) }
  }
}

/// The ledger of one service's host, in a file that all hw processes share.
///
/// A look at it costs one open, lock, read, write and close; the clock is read under the lock, so that the calls stand
/// in the order of their slots. A damaged ledger tells nothing of the past: `RateLedger.full` is what goes on.
public struct RateLedgerFile {
  private let path: String

  /// The ledger for `url`'s host in `folder`, which is made when it is missing.
  public init(_ url: URL, in folder: String) throws(Failure) {
    try Folder.make(folder)
    let name = (url.scheme == .unix ? url.socket : url.authority).utf8.map { byte in
      PercentEncoding.unreserved(byte) ? byte : UInt8(ascii: "_")
    }
    path = "\(folder)/\(String(decoding: name.suffix(200), as: UTF8.self)).rate"
  }

  /// Brings the ledger up to the present, does with it what `change` does, and keeps the result.
  func update<Result>(
    _ limit: RateLimit, _ time: any TimeKeeper, _ change: (inout RateLedger) -> Result
  ) throws(Failure) -> Result {
    let file = try LockedFile(path)
    let bytes = try file.read(atMost: RateLedger.size)
    let clocks = RateLedger.Clocks(time)
    var ledger =
      bytes.isEmpty ? RateLedger(limit, clocks) : RateLedger(bytes) ?? .full(limit, clocks)
    ledger.advance(limit, to: clocks)
    let result = change(&ledger)
    try file.write(ledger.bytes)
    return result
  }
}
