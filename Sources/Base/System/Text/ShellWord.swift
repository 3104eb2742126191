/// Word of a command line for pasting into a POSIX shell: literal text, and names of variables.
///
/// Every text that a message shows as part of a command passes through it: `ShellWord(url).quoted`, or
/// `ShellWord.command("hw", "bikes", "rent", id)` for a command within a sentence.
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

  /// Unquoted if that is safe; in double quotes if there is a variable and the rest has no meaning in double quotes;
  /// otherwise in single quotes.
  public var quoted: String {
    let texts = parts.compactMap { if case .literal(let text) = $0 { text } else { nil } }
    let text = texts.joined()
    if texts.count == parts.count {
      return ShellWord.isPlain(text) ? text : ShellWord.singleQuoted(text)
    }
    // `!` too: in double quotes, an interactive shell expands it as history.
    let isSafe = !text.utf8.contains { "\\\"$`!\n".utf8.contains($0) }
    let words = parts.map { part in
      switch part {
      case .literal(let text): isSafe ? text : ShellWord.singleQuoted(text)
      case .variable(let name): isSafe ? "${\(name):?}" : "\"${\(name):?}\""
      }
    }
    return isSafe ? "\"\(words.joined())\"" : words.joined()
  }

  /// A command as part of a sentence: in single quotes, as `'hw bikes rent 7'`, or without them if one of its words
  /// needs quotes of its own. In both cases the text between blanks can be pasted into a shell.
  public static func command(_ words: String...) -> String { command(words) }

  public static func command(_ words: [String]) -> String {
    let command = words.map { ShellWord($0).quoted }.joined(separator: " ")
    return words.allSatisfy(isPlain) ? "'\(command)'" : command
  }

  /// zsh replaces a word that begins with `=` by the path of a program.
  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.first != UInt8(ascii: "=")
      && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._/:,@%+=".utf8.contains($0) }
  }

  private static func singleQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
