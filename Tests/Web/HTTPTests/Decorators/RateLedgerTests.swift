import System
import TestSupport
import Testing

@testable import HTTP

private typealias Clocks = RateLedger.Clocks

/// A ledger, its limit, and times in seconds after `FakeClock.start`.
private final class Book {
  let limit: RateLimit
  var ledger: RateLedger

  init(_ limit: RateLimit, at seconds: Double) {
    self.limit = limit
    ledger = RateLedger(limit, .at(seconds))
  }

  /// Whether there was a slot.
  @discardableResult
  func take(at seconds: Double) -> Bool {
    advance(to: .at(seconds))
    return ledger.take(limit) == .zero
  }

  func wait(at seconds: Double) -> Duration {
    advance(to: .at(seconds))
    return wait
  }

  func advance(to clocks: Clocks) { ledger.advance(limit, to: clocks) }
  func close(for wait: Duration) { ledger.close(for: wait) }
  var wait: Duration { ledger.wait(limit) }
  var remaining: Int { ledger.remaining(limit) }
}

extension RateLedger.Clocks {
  /// Both clocks run alike.
  fileprivate static func at(_ seconds: Double, setForward: Double = 0, restarted: Bool = false) -> Self {
    let time = Int64(seconds * 1000)
    return Self(
      now: FakeClock.start.milliseconds + time + Int64(setForward * 1000),
      uptime: time + (restarted ? 0 : 10_000_000))
  }
}

@Suite struct RateLedgerTests {
  /// A line makes a ledger, or moves its clocks to a time in seconds and then uses it: `10 take 3`, `20 close 100`, and
  /// `11 set 3600` or `20 restarted` for what happens to the clocks. The next line has what was taken, what is left and
  /// how long to wait.
  @Test func ledgersAreAsRecorded() throws {
    var ledger: Book?
    var forward = 0.0
    var isRestarted = false
    try RecordedText.holdLines("ledger.txt") { line in
      let words = line.split(separator: " ")
      if let count = Int(words[1]), words[0] == "fixed" || words[0] == "sliding" {
        let length = Duration.seconds(Int(words[2]) ?? 0)
        let limit: RateLimit = words[0] == "fixed" ? .fixed(count, per: length) : .sliding(count, per: length)
        ledger = Book(limit, at: Double(words[3]) ?? 0)
        (forward, isRestarted) = (0, false)
        return nil
      }
      guard let ledger, let time = Double(words[0]) else { return nil }
      if words[1] == "set" { forward = Double(words[2]) ?? 0 }
      if words[1] == "restarted" { isRestarted = true }
      ledger.advance(to: .at(time, setForward: forward, restarted: isRestarted))
      var taken = ""
      switch words[1] {
      case "take":
        taken =
          "\((0..<(Int(words[2]) ?? 0)).count { _ in ledger.ledger.take(ledger.limit) == .zero }) taken, "
      case "close": ledger.close(for: .seconds(Int(words[2]) ?? 0))
      default: break
      }
      let closed = ledger.ledger.isClosed ? "closed, " : ""
      return "\(taken)\(closed)\(ledger.remaining) left, wait \(ledger.wait)"
    }
  }

  let minute = RateLimit.fixed(30, per: .seconds(60))
  let sliding = RateLimit.sliding(5, per: .seconds(60))

  @Test func loweredLimitCountsEarlierCalls() {
    let ledger = Book(minute, at: 10)
    for _ in 0..<10 { ledger.take(at: 10) }
    for (count, remaining) in [(9, 0), (10, 0), (11, 1)] {
      #expect(ledger.ledger.remaining(.fixed(count, per: .seconds(60))) == remaining)
    }
  }

  /// The service counts when a call arrives: up to the margin later, by a clock that differs within the margin.
  @Test(arguments: [0.0, 0.3, 1.0, 1.9], [-1.9, -1, 0, 1, 1.9])
  func serviceNeverReceivesMoreThanLimit(latency: Double, skew: Double) {
    guard abs(latency + skew) <= 1.9 else { return }
    for limit in [minute, sliding] {
      let ledger = Book(limit, at: 0)
      var random = SeededGenerator(seed: 1)
      var arrivals: [Double] = []
      var time = 0.0
      while time < 400 {
        if ledger.take(at: time) {
          arrivals.append(time + skew + (Bool.random(using: &random) ? latency : 0))
        }
        // In bursts, as twenty processes come.
        if Int.random(in: 0..<10, using: &random) == 0 { time += Double.random(in: 0..<20, using: &random) }
        time += 0.01
      }
      #expect(arrivals.count > 4 * limit.count)
      #expect(RateLedgerTests.isWithin(limit, arrivals))
    }
  }

  /// The worst case, without chance: the first calls arrive as late as the margin allows, the later ones at once.
  @Test func slowCallsBeforeFastOnesStayWithinTheLimit() {
    for (limit, start) in [(minute, 59.9), (sliding, 0.99)] {
      let ledger = Book(limit, at: start)
      var arrivals = (0..<limit.count).filter { _ in ledger.take(at: start) }.map { _ in start + 1.9 }
      for tenths in 1...1300 {
        let time = start + Double(tenths) / 10
        if ledger.take(at: time) { arrivals.append(time) }
      }
      #expect(arrivals.count >= 2 * limit.count)
      #expect(RateLedgerTests.isWithin(limit, arrivals))
    }
  }

  private static func isWithin(_ limit: RateLimit, _ arrivals: [Double]) -> Bool {
    switch limit.window {
    case .fixed:
      let windows = Dictionary(grouping: arrivals) { Int(($0 / 60).rounded(.down)) }
      return windows.values.allSatisfy { $0.count <= limit.count }
    case .sliding:
      let sorted = arrivals.sorted()
      return sorted.indices.dropLast(limit.count).allSatisfy { sorted[$0 + limit.count] - sorted[$0] >= 60 }
    }
  }

  @Test func givesEachWindowItsFullCount() {
    let ledger = Book(minute, at: 0)
    let taken = stride(from: 0.0, to: 600, by: 0.1).count { ledger.take(at: $0) }
    #expect(taken == 300)
  }

  @Test(
    arguments: [
      .milliseconds(1), .milliseconds(61), .milliseconds(119), .seconds(1), .seconds(7), .seconds(60),
      .seconds(3600), .seconds(86_400),
    ] as [Duration])
  func holdsForAnyWindow(window: Duration) {
    for limit in [RateLimit.fixed(10, per: window), .sliding(10, per: window)] {
      let ledger = Book(limit, at: 0)
      var (time, taken) = (Clocks.at(0), 0)
      let end = time.now + 5 * limit.length
      while time.now < end {
        ledger.advance(to: time)
        let wait = ledger.ledger.take(limit).wholeMilliseconds
        taken += wait == 0 ? 1 : 0
        time.now += wait
        time.uptime += wait
      }
      // Margins and steps cost less than half, and nothing is given twice.
      #expect(taken <= 60 && taken >= 30)
    }
  }
}

@Suite struct RateLedgerClockTests {
  let limit = RateLimit.fixed(5, per: .seconds(60))

  @Test func negativeClockBecomesZero() {
    #expect(Clocks(now: -5, uptime: -1).now == 0 && Clocks(now: -5, uptime: -1).uptime == 0)
  }

  @Test func aLedgerOfAnotherWindowIsNoPermission() {
    let ledger = Book(limit, at: 0)
    let other = RateLimit.fixed(5, per: .seconds(1))
    ledger.ledger.advance(other, to: .at(0))
    #expect(ledger.ledger.remaining(other) == 0)
  }

  @Test func clockNearZeroIsAccepted() {
    for now in [Int64(-5), 0, 1, 100_000] {
      for limit in [limit, .sliding(5, per: .seconds(3600))] {
        let ledger = Book(limit, at: 0)
        ledger.ledger = RateLedger(limit, Clocks(now: now, uptime: 0))
        let wait = ledger.ledger.take(limit)
        #expect(wait == .zero)
        ledger.advance(to: Clocks(now: now + 10, uptime: 10))
        #expect(ledger.remaining == 4)
        ledger.advance(to: .at(0))
        #expect(ledger.remaining >= 0)
      }
    }
  }
}

@Suite struct RateLedgerBytesTests {
  let limit = RateLimit.sliding(5, per: .seconds(60))

  @Test func readsWhatItWrites() {
    let ledger = Book(limit, at: 10)
    for seconds in [10, 20.5, 41] { ledger.take(at: seconds) }
    ledger.close(for: .seconds(3))
    // Another size would need another version.
    #expect(ledger.ledger.bytes.count == 376 && RateLedger.size == 376)
    #expect(RateLedger(ledger.ledger.bytes) == ledger.ledger)
    let full = RateLedger.full(.fixed(1_000_000_000, per: .seconds(60)), .at(10))
    #expect(full.counts.max() == 1_000_000_000 && RateLedger(full.bytes) == full)
  }

  @Test func noticesEveryDamage() {
    let bytes = RateLedger(limit, .at(10)).bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(RateLedger(damaged) == nil)
    }
    #expect(RateLedger([]) == nil)
    #expect(RateLedger(Array(bytes.dropLast())) == nil)
    #expect(RateLedger([UInt8](repeating: 0, count: RateLedger.size)) == nil)
    #expect(RateLedger([UInt8](repeating: 0xff, count: RateLedger.size)) == nil)
  }

  /// A checksum that is right makes no impossible time possible. The places are those of bytes: the version, the window
  /// (also none), and the four times.
  @Test(
    arguments: [(6, 0x32), (14, 0x20), (15, 0x80), (23, 0x80), (31, 0x80), (39, 0x80), (46, 0x08)]
      as [(Int, UInt8)])
  func impossibleTimesAreRefused(place: Int, byte: UInt8) {
    #expect(isRead { _ in })
    #expect(!isRead { $0[place] = byte })
    #expect(!isRead { $0.replaceSubrange(8..<16, with: [UInt8](repeating: 0, count: 8)) })
  }

  private func isRead(_ change: (inout [UInt8]) -> Void) -> Bool {
    var bytes = Array(RateLedger(limit, .at(10)).bytes.dropLast(8))
    change(&bytes)
    return RateLedger(bytes + SHA256.hash(bytes).prefix(8)) != nil
  }

  /// A ledger can be made again: nothing is reported, and calls wait as if the limit were used up.
  @Test func ledgerOfOtherVersionIsReplaced() throws {
    let scratch = try ScratchDirectory()
    var newer = Array(RateLedger(limit, .at(10)).bytes.dropLast(8))
    newer[6] = UInt8(ascii: "2")
    newer += SHA256.hash(newer).prefix(8)
    newer += [UInt8](repeating: 7, count: 100)
    try File.replace(scratch.file("h.rate"), with: newer)
    let file = try RateLedgerFile(URL("http://h"), in: scratch.path)
    for _ in 0..<2 { #expect(try file.update(limit, FakeClock()) { $0.remaining(limit) } == 0) }
    #expect(RateLedger([UInt8](try scratch.bytes("h.rate").prefix(RateLedger.size))) != nil)
  }
}

@Suite struct RateLimitTests {
  @Test func staysWithinWhatALedgerHolds() {
    let least = RateLimit.fixed(0, per: .zero)
    #expect(least.count == 1 && least.length == 1)
    let most = RateLimit.sliding(1_000_000_001, per: .seconds(367 * 86_400))
    #expect(most.count == 1_000_000_000 && most.length == 31_622_400_000)
  }

  @Test(arguments: [(60_000, 2000), (20_000, 2000), (19_990, 1999), (1000, 100), (5, 0)] as [(Int64, Int64)])
  func theMarginIsATenthOrTwoSeconds(length: Int64, margin: Int64) {
    #expect(RateLimit.fixed(1, per: .milliseconds(length)).margin == margin)
  }

  @Test func evenlySpacedCalls() {
    #expect(RateLimit.fixed(30, per: .seconds(60)).spacing == .seconds(2))
  }

  @Test(
    arguments: [
      (301_999, nil), (302_000, 5), (357_999, 5), (358_000, nil), (360_000, nil), (362_000, 6),
    ] as [(Int64, Int64?)])
  func aWindowIsCertainBeyondTheMargin(now: Int64, number: Int64?) {
    #expect(RateLimit.fixed(1, per: .seconds(60)).windowNumber(at: now) == number)
    #expect(RateLimit.sliding(1, per: .seconds(60)).windowNumber(at: now) == nil)
  }

  @Test(arguments: [(300, 362, 362), (359, 362, 421), (360, 422, 422)] as [(Int64, Int64, Int64)])
  func aWindowEndsTheMarginLater(time: Int64, fixed: Int64, sliding: Int64) {
    let time = Timestamp(seconds: time)
    #expect(RateLimit.fixed(1, per: .seconds(60)).windowEnd(after: time).seconds == fixed)
    #expect(RateLimit.sliding(1, per: .seconds(60)).windowEnd(after: time).seconds == sliding)
  }

  @Test(
    arguments: [
      (.fixed(1, per: .seconds(60)), "1 call in a minute"),
      (.sliding(2, per: .seconds(60)), "2 calls in a minute"),
      (.fixed(5, per: .milliseconds(1500)), "5 calls in 1.5 s"),
    ] as [(RateLimit, String)])
  func limitIsDescribedInWords(limit: RateLimit, words: String) { #expect(limit.description == words) }
}
