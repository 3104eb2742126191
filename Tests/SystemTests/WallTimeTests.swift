import System
import Testing

@Suite struct WallTimeTests {
  @Test(
    arguments: [
      (0, 0, "1970-01-01 00:00:00"), (-1, 0, "1969-12-31 23:59:59"),
      (1_767_225_600, 3600, "2026-01-01 01:00:00"),
      (1_767_225_600, -3600, "2025-12-31 23:00:00"), (1_709_210_096, 0, "2024-02-29 12:34:56"),
    ] as [(Int64, Int64, String)])
  func seconds(_ seconds: Int64, _ offset: Int64, _ text: String) {
    #expect(WallTime(Timestamp(seconds: seconds), offset: offset).seconds == text)
  }

  /// Whatever number a service sends, there is no trap.
  @Test(arguments: [Int64.max, .min, .max - 1])
  func beyondAllCalendars(_ seconds: Int64) {
    #expect(!WallTime(Timestamp(seconds: seconds), offset: 3600).seconds.isEmpty)
    #expect(SystemTime().offset(at: Timestamp(seconds: .max)) == 0)
  }
}

@Suite struct SplitMix64Tests {
  /// The numbers of the published algorithm.
  @Test func theSameEverywhere() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func below() {
    var random = SplitMix64(seed: 1)
    #expect((0..<1000).map { _ in random.next(below: 6) }.allSatisfy { (0..<6).contains($0) })
  }
}

@Suite struct TrimmingTests {
  @Test(arguments: [("", ""), (" \t\n", ""), (" a b\n", "a b"), ("a", "a")] as [(String, String)])
  func trimmed(_ text: String, _ result: String) {
    #expect(text.trimmed == result)
  }
}
