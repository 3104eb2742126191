public enum WordWrap {
  /// Breaks a text at spaces, and a longer word at the edge, so that an address can be read completely.
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
      while DisplayWidth.of(word) > width, word.count > 1 {
        var piece = String(word.removeFirst())
        while let next = word.first, DisplayWidth.of(piece) + DisplayWidth.of(next) <= width {
          piece.append(word.removeFirst())
        }
        lines.append(piece)
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return lines + [line]
  }
}
