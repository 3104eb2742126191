import System

/// The number of a padlock: exactly four ASCII digits. It never describes itself, so no message shows it by accident.
struct Pin: Equatable, Sendable, CustomStringConvertible {
  let digits: String

  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 4,
      text.utf8.allSatisfy(\.isASCIIDigit)
    else { return nil }
    digits = String(text)
  }

  static let wanted = "exactly four digits, 0000 to 9999"

  var description: String { "••••" }
}
