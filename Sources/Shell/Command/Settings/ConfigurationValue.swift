import System

/// A value as a line of the configuration has it: bare, or in quotes, perhaps with a comment behind it.
struct ConfigurationValue: Equatable {
  var text = ""
  /// From the blanks before the number sign on.
  var comment = ""

  /// Reads what follows the equals sign. Nil if a quote is not closed, or something else than a comment follows it.
  ///
  /// In double quotes `\\"` and `\\\\` are escapes, in single quotes nothing is. In a bare value a number sign behind a
  /// blank begins the comment, so that `#` can be part of a secret or an address.
  init?(_ line: some StringProtocol) {
    let characters = Array(line.unicodeScalars)
    var at = characters.firstIndex { !ConfigurationValue.isBlank($0) } ?? characters.count
    var value = String.UnicodeScalarView()
    let quote = at < characters.count ? characters[at] : " "
    if quote == "\"" || quote == "'" {
      at += 1
      while true {
        guard at < characters.count else { return nil }
        if characters[at] == quote { break }
        let next = at + 1 < characters.count ? characters[at + 1] : " "
        if quote == "\"", characters[at] == "\\", next == "\"" || next == "\\" { at += 1 }
        value.append(characters[at])
        at += 1
      }
      let rest = characters[(at + 1)...]
      guard let first = rest.first(where: { !ConfigurationValue.isBlank($0) }) else {
        text = String(value)
        return
      }
      guard first == "#" else { return nil }
      (text, comment) = (String(value), ConfigurationValue.string(rest))
      return
    }
    let start = at
    while at < characters.count {
      if characters[at] == "#", at == start || ConfigurationValue.isBlank(characters[at - 1]) { break }
      at += 1
    }
    text = ConfigurationValue.string(characters[start..<at]).trimmed
    guard at < characters.count else { return }
    let end = start + text.unicodeScalars.count
    comment = (text.isEmpty ? " " : "") + ConfigurationValue.string(characters[end...])
  }

  /// The value as a line holds it: in quotes only if it needs them.
  static func quoted(_ value: String) -> String {
    if let plain = ConfigurationValue(value), plain.text == value { return value }
    return "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
