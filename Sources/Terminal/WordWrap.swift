/// Breaks a text into lines for a width.
public enum WordWrap {
  /// Lines broken at spaces, and a longer word at the edge, so that an address can be read completely.
  public static func lines(_ text: String, width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if !line.isEmpty, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
        lines.append(line)
        line = ""
      }
      while DisplayWidth.of(word) > width, !word.isEmpty {
        lines.append(String(word.prefix(width)))
        word.removeFirst(min(width, word.count))
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return lines + [line]
  }
}
