import Testing

@testable import Server

@Suite struct TransferRateTests {
  /// A rate after so many seconds in which the client took `perSecond` bytes, and the send buffer held `buffered`.
  private func rate(seconds: Int, perSecond: Int, buffered: Int = 0) -> TransferRate {
    var rate = TransferRate(at: .seconds(100), buffered: buffered)
    for second in 0..<seconds {
      rate.add(perSecond)
      rate.note(at: .seconds(101 + second), buffered: buffered)
    }
    return rate
  }

  @Test func clientBelowMinimumRateForThirtySecondsIsTooSlow() {
    #expect(!rate(seconds: 29, perSecond: 0).isTooSlow)
    #expect(rate(seconds: 30, perSecond: 0).isTooSlow)
    #expect(rate(seconds: 30, perSecond: 999).isTooSlow)
    #expect(!rate(seconds: 300, perSecond: 1000).isTooSlow)
  }

  @Test func bytesInSendBufferDoNotCount() {
    var rate = TransferRate(at: .zero, buffered: 1_000_000)
    rate.add(500_000)
    rate.note(at: .seconds(30), buffered: 1_500_000)
    #expect(rate.isTooSlow && rate.bytesPerSecond == 0)
    // The socket accepts nothing for a minute, but its buffer drains.
    rate.note(at: .seconds(60), buffered: 1_400_000)
    #expect(!rate.isTooSlow)
  }

  /// The notes need not come once a second.
  @Test(arguments: [(30, 60), (31, 62), (40, 100)])
  func theOldestMarkIsTheLastBeforeTheHalfMinute(second: Int, third: Int) {
    var rate = TransferRate(at: .zero, buffered: 0)
    rate.add(1_000_000_000)
    rate.note(at: .seconds(second), buffered: 0)
    #expect(!rate.isTooSlow && rate.start == .zero)
    rate.note(at: .seconds(third), buffered: 0)
    #expect(rate.isTooSlow && rate.bytesPerSecond == 0 && rate.start == .seconds(second))
  }

  @Test func aMarkWithinTheHalfMinuteIsNotTheOldest() {
    var rate = TransferRate(at: .seconds(5), buffered: 0)
    rate.note(at: .seconds(20), buffered: 0)
    rate.add(30_000)
    rate.note(at: .seconds(35), buffered: 0)
    // The second mark is 15 seconds old, so the first one counts: 30 000 bytes in 30 seconds.
    #expect(rate.start == .seconds(5) && rate.bytesPerSecond == 1000 && !rate.isTooSlow)
    #expect(TransferRate().start == .zero)
  }

  @Test func newClientIsNotSlow() {
    var new = TransferRate(at: .seconds(50), buffered: 0)
    new.add(10_000)
    new.note(at: .seconds(50), buffered: 0)
    #expect(new.bytesPerSecond == 10_000)
    #expect(TransferRate().bytesPerSecond == 0 && !TransferRate().isTooSlow)
  }
}
