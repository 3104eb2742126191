import System

enum TextMatch {
  static func contains(_ text: String, _ part: String) -> Bool {
    if text.contains(part) { return true }
    // A letter with an accent has two encodings, which are one character.
    guard part.utf8.contains(where: { $0 >= 0x80 }) else { return false }
    let (text, part) = (Array(text), Array(part))
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  /// Whether two texts are equal, ignoring case. Most rows differ in a letter of ASCII, and need no copy.
  static func areEqual(_ a: String, _ b: String) -> Bool {
    for (left, right) in zip(a.utf8, b.utf8) where left != right {
      guard left < 0x80, right < 0x80 else { return folded(a) == folded(b) }
      guard left ^ right == 0x20, (left | 0x20).isASCIIAlphanumeric, left | 0x20 > 0x60 else { return false }
    }
    return a.utf8.count == b.utf8.count
  }

  /// The text in lower case, in which sigma has one form, and `ß` is `ss`.
  static func folded(_ text: String) -> String {
    let text = text.lowercased()
    guard text.utf8.contains(where: { $0 == 0xCF || $0 == 0x9F }) else { return text }
    return text.replacing("ς", with: "σ").replacing("ß", with: "ss")
  }

  static func withoutBlanks(_ text: String) -> String {
    guard let first = text.utf8.first, let last = text.utf8.last else { return text }
    return min(first, last) <= UInt8(ascii: " ") ? text.trimmed : text
  }
}
