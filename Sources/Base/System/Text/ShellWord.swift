/// Word of a command line that can be pasted into a POSIX shell: literal text and variables. Every message with a part
/// of a command uses it: `ShellWord(url).quoted`, or `ShellWord.command("hw", "bikes", "rent", id)` within a sentence.
public struct ShellWord {
  private enum Part {
    case literal(String)
    case variable(String)
  }

  private var parts: [Part] = []

  public init(_ text: String) { append(text) }

  public mutating func append(_ text: String) {
    if case .literal(let before) = parts.last {
      parts[parts.count - 1] = .literal(before + text)
    } else {
      parts.append(.literal(text))
    }
  }

  /// A shell refuses the command while the variable is unset or empty.
  public mutating func append(variable: String) { parts.append(.variable(variable)) }

  /// Word with the quotes that it needs: none, double ones around a variable if they suffice, otherwise single ones.
  public var quoted: String {
    let texts = parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    let text = texts.joined()
    if texts.count == parts.count { return ShellWord.isPlain(text) ? text : ShellWord.singleQuoted(text) }
    // An interactive shell expands `!` in double quotes as history.
    let isSafe = !text.utf8.contains { "\\\"$`!\n".utf8.contains($0) }
    let words = parts.map { part in
      switch part {
      case .literal(let text): isSafe ? text : ShellWord.singleQuoted(text)
      case .variable(let name): isSafe ? "${\(name):?}" : "\"${\(name):?}\""
      }
    }
    return isSafe ? "\"\(words.joined())\"" : words.joined()
  }

  /// Command within a sentence: `'hw bikes rent 7'`, or without the outer quotes if a word has quotes of its own. The
  /// text between the blanks can be pasted into a shell.
  public static func command(_ words: String...) -> String { command(words) }

  public static func command(_ words: [String]) -> String {
    let command = words.map { ShellWord($0).quoted }.joined(separator: " ")
    return words.allSatisfy(isPlain) ? "'\(command)'" : command
  }

  /// Whether the word needs no quotes. zsh replaces a word that begins with `=` by the path of a program.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.first != UInt8(ascii: "=")
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._/:,@%+=".utf8.contains($0) }
  }

  private static func singleQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// Splits and unquotes a command line like a POSIX shell, and expands nothing; nil if a quote is not closed.
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
