import System

/// Value in a line of the configuration: bare or quoted, perhaps with a comment.
struct ConfigurationValue: Equatable {
  var text = ""
  /// Comment with the blanks before it.
  var comment = ""

  /// Parses the text after the equals sign; nil if a quote is not closed, or followed by something other than a
  /// comment. In double quotes `\"` and `\\` are escapes; single quotes have none. In a bare value a number sign
  /// after a blank begins a comment, so that `#` can be part of a secret or an address.
  init?(_ line: some StringProtocol) {
    let characters = Array(line.unicodeScalars)
    var at = characters.firstIndex { !$0.properties.isWhitespace } ?? characters.count
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

  /// Value as in a line of the file, with quotes if it needs them.
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
