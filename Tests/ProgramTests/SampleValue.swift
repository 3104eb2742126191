import Testing

@testable import Command

/// Values that options and operands accept, for tests of all commands.
enum SampleValue {
  /// Each is accepted by some option or operand that has no choices.
  private static let texts = [
    "1", "1234", "1946", "text", "a=b", "2022-03-08", "50.1,8.6", "127.0.0.1", "cyan", "de", "ann@h.test",
    "https://h.test", "https://h.test/{z}/{x}/{y}", "Europe/Berlin", "127.0.0.1:7400",
  ]

  static func text(_ value: ValueDeclaration) throws -> String {
    try #require(
      (value.choices.map(\.name) + texts).first { (try? value.read($0, for: "")) != nil },
      "no value is \(value.expects)")
  }

  /// The words that give the option.
  static func giving(_ option: OptionDeclaration) throws -> [String] {
    guard let value = option.value else { return [option.spelling] }
    return ["--\(option.name)", try text(value)]
  }
}
