import Command
import HTTP
import System

/// What the service has promised.
extension Race {
  static var checks: [Check] {
    [
      Check(
        "the length of the race", "/bees/race/duration", excuses: excuses,
        expects: .object(["timeInSeconds": .int(1...86_400)])),
      Check(
        "the standings", "/bees/race/status", excuses: excuses,
        expects: .object([
          "beeList": .list(.object(["name": .string, "color": .text("a colour like #8d62a1", isColor)]))
        ])),
      Check(
        "the CAPTCHA to test with", "/captchaTest", status: 403, excuses: [429: full],
        expects: .object(["captchaUrl": .text("an http address") { $0.hasPrefix("http") }])),
    ]
  }

  /// It may say so to anybody at any time.
  private static let excuses = [403: "it wants a CAPTCHA solved first", 429: full]
  private static let full = "the limit, which everybody shares, is reached"

  @Sendable private static func isColor(_ text: String) -> Bool {
    text.utf8.count == 7 && text.hasPrefix("#") && text.dropFirst().allSatisfy(\.isHexDigit)
  }
}
