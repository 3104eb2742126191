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

@Suite struct TextLinesTests {
  @Test(arguments: [1, 3, 4096])
  func lines(_ chunk: Int) throws {
    var lines = TextLines(MemorySource(Array("one\n\ntwo ü\nlast".utf8), chunk: chunk))
    var found: [String] = []
    while let line = try lines.next() { found.append(line) }
    #expect(found == ["one", "", "two ü", "last"])
  }

  @Test(
    "A line that is none is told by its number",
    arguments: [
      ([UInt8](repeating: 0x61, count: 100_000), "longer than 4096 bytes"),
      ([UInt8](repeating: 0x61, count: 4097) + [0x0A], "longer than 4096 bytes"),
      ([0xFF, 0x0A], "invalid UTF-8"),
    ])
  func noLine(_ bytes: [UInt8], _ message: String) throws {
    var lines = TextLines(MemorySource(Array("one\n".utf8) + bytes))
    #expect(try lines.next() == "one")
    let failure = #expect(throws: Failure.self) { try lines.next() }
    #expect(failure?.kind == .usage && failure?.message == "line 2: \(message)")
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
