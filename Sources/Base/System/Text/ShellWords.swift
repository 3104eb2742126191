extension ShellWord {
  /// Splits and unquotes a command line like a POSIX shell; nil if a quote is not closed. Expands nothing: `$`, `~`,
  /// `*`, comments and operators are text.
  public static func split(_ line: String) -> [String]? {
    var words: [String] = []
    var word: String.UnicodeScalarView?
    var quote: Unicode.Scalar?
    var scalars = line.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch (quote, scalar) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("'", _): word?.append(scalar)
      case (_, "\\"):
        guard let next = scalars.first else { return nil }
        // In double quotes the backslash is text, except before these.
        if quote == "\"", !"\\\"$`".unicodeScalars.contains(next) {
          word?.append(scalar)
        } else {
          scalars.removeFirst()
          word = (word ?? .init()) + [next]
        }
      case ("\"", _): word?.append(scalar)
      case (_, "'"), (_, "\""):
        quote = scalar
        word = word ?? .init()
      case (_, " "), (_, "\t"), (_, "\n"), (_, "\r"):
        if let ended = word { words.append(String(ended)) }
        word = nil
      default: word = (word ?? .init()) + [scalar]
      }
    }
    guard quote == nil else { return nil }
    if let ended = word { words.append(String(ended)) }
    return words
  }
}
