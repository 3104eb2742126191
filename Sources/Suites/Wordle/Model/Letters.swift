import System

/// The validated letters of a word: 1 to 64, in any script.
///
/// A letter is a grapheme cluster that begins with a Unicode letter and contains only letters, marks and joiners, such
/// as `é`, composed or not, and `क्ष`: at most 16 code points. Letters are equal if their default case foldings are: `ẞ`
/// is `ß`, a final `ς` is `Σ`, and `ı` is not `i` in any language. Folding never changes the number of letters.
struct Letters {
  static let most = 64

  private let text: String
  /// Case-folded letters. Strings, because `ß` folds to two characters.
  let folded: [String]

  /// `role` names the word in messages that cannot quote it.
  init(_ text: String, role: String) throws(Failure) {
    guard !text.isEmpty else { throw Letters.failure("the \(role) is empty", at: 1) }
    var folded: [String] = []
    for character in text {
      let position = folded.count + 1
      guard position <= Letters.most else {
        throw Letters.failure(
          "'\(Letters.excerpt(text))' has more than \(Letters.most) letters", at: position)
      }
      guard character.unicodeScalars.count <= 16, Letters.isLetter(character) else {
        throw Letters.failure(
          "'\(Letters.excerpt(text))' has \(Letters.name(of: character)) at position \(position), "
            + "which is not a letter", at: position)
      }
      folded.append(Letters.fold(character))
    }
    self.text = text
    self.folded = folded
  }

  /// `'ponds' has 5 letters`
  var described: String {
    "'\(Letters.excerpt(text))' has \(folded.count) \(folded.count == 1 ? "letter" : "letters")"
  }

  static func failure(_ message: String, at position: Int) -> Failure {
    Failure(
      .usage, message, hint: "give a guess and a word of the same length, 1 to \(most) letters each",
      details: [.init("position", .integer(position))])
  }

  private static func excerpt(_ text: String) -> String {
    let end = text.unicodeScalars.index(
      text.unicodeScalars.startIndex, offsetBy: 2 * most, limitedBy: text.unicodeScalars.endIndex)
    guard let end, end != text.unicodeScalars.endIndex else { return text }
    return String(text.unicodeScalars[..<end]) + "…"
  }

  private static let joined: [Unicode.GeneralCategory] = [.nonspacingMark, .spacingMark, .enclosingMark]

  private static func isLetter(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, isLetter(first) else { return false }
    return character.unicodeScalars.dropFirst().allSatisfy {
      isLetter($0) || joined.contains($0.properties.generalCategory) || $0 == "\u{200C}" || $0 == "\u{200D}"
    }
  }

  /// Checks the category, because emoji such as 🅰 are Alphabetic.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  /// Folds case in the three steps that Unicode defines. `ı` is the exception.
  static func fold(_ letter: Character) -> String {
    if letter.unicodeScalars.first == "ı" { return String(letter) }
    return letter.lowercased().uppercased().lowercased()
  }

  /// Compares words as tiles do. Most words are ASCII, and need no folding.
  static func areSame(_ a: String, _ b: String) -> Bool {
    if a == b || a.lowercased() == b.lowercased() { return true }
    return !(a + b).utf8.allSatisfy { $0 < 0x80 } && a.map(Letters.fold) == b.map(Letters.fold)
  }

  /// `'7'`, or `U+0007` for a character that is invisible or controls a terminal.
  private static func name(of character: Character) -> String {
    let first = character.unicodeScalars[character.unicodeScalars.startIndex]
    switch first.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse,
      .nonspacingMark, .enclosingMark:
      let digits = String(first.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    default:
      return "'\(excerpt(String(character)))'"
    }
  }
}
