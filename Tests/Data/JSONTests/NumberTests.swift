import JSON
import System
import Testing

/// Numbers keep their value to the last digit, or are refused.
@Suite struct NumberTests {
  @Test(arguments: [
    ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("74000000000", 74_000_000_000),
    ("999999999999999999", 999_999_999_999_999_999), ("-99999999999999999", -99_999_999_999_999_999),
    ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min), ("3.0", 3), ("-3.000", -3),
    ("1e2", 100), ("1E+2", 100), ("1.5e1", 15), ("100e-2", 1), ("-120.0e-1", -12), ("0.0", 0),
    ("0e999999999999999999999", 0), ("-0.000e5", 0), ("9223372036854775807.000", Int.max),
    ("9.223372036854775807e18", Int.max), ("-9223372036854775808e0", Int.min),
    ("922337203685477580700e-2", Int.max), ("1e18", 1_000_000_000_000_000_000),
  ]) func readsIntegers(_ text: String, _ value: Int) throws {
    #expect(try JSON.parse(text).int == value)
  }

  @Test(arguments: [
    "0.5", "-1.5", "1e-1", "10.01", "9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "1e19", "1e400", "1e999999999999999999999", "1e-999999999999999999999", "92233720368547758070e-2",
    "12345678901234567890123", "9.3e18", "0.30000000000000000000000000000001",
  ]) func nonIntegerIsRefused(_ text: String) throws {
    let failure = #expect(throws: Failure.self) { try JSON.parse(text).int }
    #expect(failure?.message == "line 1, column 1: expected an integer of 64 bits, found \(text)")
  }

  @Test func longNumberIsShortenedInFailure() throws {
    for (count, end) in [(40, ""), (41, "…"), (60, "…")] {
      let text = String(repeating: "1", count: count)
      let failure = #expect(throws: Failure.self) { try JSON.parse(text).int }
      let shown = "\(text.prefix(40))\(end)"
      #expect(failure?.message == "line 1, column 1: expected an integer of 64 bits, found \(shown)")
    }
  }

  @Test(arguments: [
    ("0", 0.0), ("1", 1), ("-1", -1), ("0.1", 0.1), ("50.119504", 50.119504), ("1e308", 1e308),
    ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
    ("1.7976931348623157e308", Double.greatestFiniteMagnitude), ("0.30000000000000004", 0.1 + 0.2),
    ("9007199254740993", 9_007_199_254_740_992), ("123456789012345678901234567890", 0x1.8EE90FF6C373Ep+96),
    ("8.638137E0", 8.638137), ("0.1000000000000000055511151231257827021181583404541015625", 0.1),
    ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
  ]) func readsDoubles(_ text: String, _ value: Double) throws {
    #expect(try JSON.parse(text).double == value)
  }

  @Test func signOfZeroIsKept() throws {
    #expect(try JSON.parse("-0.0").double.sign == .minus)
    #expect(try JSON.parse("-0").double.sign == .minus)
  }

  @Test(arguments: ["1e400", "-1e400", "1e999999999999999999999", "1.8e308"]) func refusesDoublesOutOfRange(
    _ text: String
  ) {
    let failure = #expect(throws: Failure.self) { try JSON.parse(text).double }
    #expect(failure?.message == "line 1, column 1: expected a number in a double's range, found \(text)")
  }

  @Test(arguments: [
    ("0", JSON.Number.int64(0)), ("-9223372036854775808", .int64(.min)),
    ("9223372036854775807", .int64(.max)), ("9223372036854775808", .uint64(9_223_372_036_854_775_808)),
    ("18446744073709551615", .uint64(.max)), ("18446744073709551616", .digits("18446744073709551616")),
    ("18446744073709551617", .digits("18446744073709551617")),
    ("-9223372036854775809", .digits("-9223372036854775809")), ("-0", .double(-0.0)), ("-0.0", .double(-0.0)),
    ("3.0", .double(3)), ("1e2", .double(100)), ("0.1", .double(0.1)), ("0.10", .double(0.1)),
    ("1.0E-1", .double(0.1)), ("1e400", .digits("1e400")), ("1e-400", .digits("1e-400")),
    ("0.1000000000000000055511151231257827", .digits("0.1000000000000000055511151231257827")),
    ("1e23", .double(1e23)), ("123456789012345678901234567890", .digits("123456789012345678901234567890")),
    ("5e-324", .double(.leastNonzeroMagnitude)), ("4e-324", .digits("4e-324")),
    ("0e99999999999999999999", .double(0)),
  ]) func keepsNumbersExactly(_ text: String, _ number: JSON.Number) throws {
    let read = try JSON.parse(text).number
    #expect(read == number)
    // Numbers are equal in any form; here it is the one that was expected.
    #expect("\(read)" == "\(number)")
  }

  /// Each is less than those behind it.
  private static let ascending = [
    "-1e401", "-1e400", "-18446744073709551616", "-9223372036854775809", "-9223372036854775808", "-1234.5",
    "-10", "-9", "-1.5", "-1", "-0.1", "-1e-400", "0", "1e-401", "1e-400", "5e-324", "0.1",
    "0.10000000000000000001", "0.5", "1", "1.0000000000000000000001", "1.5", "2", "9", "10", "12", "123",
    "9007199254740992", "9007199254740993", "9007199254740993.5", "9223372036854775807",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e22", "1e400", "1e401",
  ]

  @Test func numbersAreOrderedByExactValue() throws {
    let numbers = try NumberTests.ascending.map { try JSON.parse($0).number }
    for (place, number) in numbers.enumerated() {
      #expect(numbers.map { $0 < number } == numbers.indices.map { $0 < place })
      #expect(numbers.map { $0 == number } == numbers.indices.map { $0 == place })
    }
  }

  @Test(arguments: [
    ["0", "-0", "0.0", "-0.00", "-0e5"], ["1", "1.0", "1e0", "10e-1", "0.1e1"], ["-100", "-1e2", "-100.00"],
    ["1e400", "10e399", "1.0e400"],
    ["18446744073709551616", "18446744073709551616.0", "1.8446744073709551616e19"],
  ]) func equalNumbersInAnyNotation(_ texts: [String]) throws {
    for a in texts {
      for b in texts {
        let (a, b) = (try #require(JSON.Number(a)), try #require(JSON.Number(b)))
        #expect(a == b && !(a < b))
      }
    }
  }

  @Test(arguments: ["", "x", "01", "1 2", "1e", "0x1", "null", "\"1\"", "[1]", "{}"])
  func nonNumberHasNoExactValue(_ text: String) { #expect(JSON.Number(text) == nil) }
}
