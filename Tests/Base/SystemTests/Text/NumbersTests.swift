import System
import TestSupport
import Testing

@Suite struct PlainNumberTests {
  @Test(arguments: [
    (0.0, "0"), (-0.0, "-0"), (1, "1"), (-1.5, "-1.5"), (0.1, "0.1"), (0.00005, "0.00005"),
    (-0.000_001_234, "-0.000001234"), (1e-9, "0.000000001"), (1e16, "10000000000000000"),
    (-1.2345e20, "-123450000000000000000"), (1e17, "100000000000000000"),
    (1.234_567_890_123_456_7e19, "12345678901234567000"), (50.119504, "50.119504"),
  ])
  func withoutExponentAndWithoutNeedlessZeros(number: Double, text: String) {
    #expect(number.plain == text)
  }

  @Test(arguments: [
    (8.64002, 5, "8.64002"), (8.5, 5, "8.50000"), (-0.000_001, 5, "0.00000"),
    (-122.419_416, 5, "-122.41942"), (3.456, 2, "3.46"), (0.996, 2, "1.00"), (1e300, 2, 1e300.plain),
  ])
  func fixedDecimals(number: Double, places: Int, text: String) { #expect(number.fixed(places) == text) }

  @Test func plainNumberIsReadBack() {
    let ends = [Double.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude]
    var random = SeededGenerator(seed: 1)
    let some = (0..<20_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    for number in ends + some {
      #expect(Double(number.plain) == number, "\(number)")
      #expect(!number.plain.contains("e"))
    }
  }
}

@Suite struct SplitMix64Tests {
  /// The numbers of the published algorithm.
  @Test func generatorMatchesPublishedNumbers() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }

  @Test func fractionsAndWholeNumbersOfThem() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<5).map { _ in random.fraction() } == [
        0.3500795420214081, 0.17364409667091263, 0.5322073040624192, 0.24900765738229136, 0.889529490618583,
      ])
    random = SplitMix64(seed: 1_234_567)
    #expect((0..<5).map { _ in random.next(below: 1000) } == [350, 173, 532, 249, 889])
    #expect(random.next(below: 1) == 0)
  }
}
