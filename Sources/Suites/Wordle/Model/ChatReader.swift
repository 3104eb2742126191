import System

/// Finds out who sent each line of an exported chat, as WhatsApp, Signal and Discord write them:
///
///     [12/03/22, 12:03] Ann: text       12.03.22, 12:03 - Ann: text
///     [2022-03-12 12:03] Ann: text      From: Ann
///     Ann — 12:03                       Ann: Wordle 281 4/6
///
/// The lines of a message follow its first. A text without such lines has no sender.
struct ChatReader {
  private var sender: String?
  private var lineBefore = ""

  struct Line: Equatable {
    var sender: String?
    /// The line without what the chat wrote before it.
    var text: String
    /// Whether the line begins a message.
    var isFirstLine: Bool
  }

  mutating func take(_ line: String) -> Line {
    let visible = ChatReader.trimmed(line[...])
    defer { if !visible.isEmpty { lineBefore = String(visible) } }
    guard let start = ChatReader.start(of: visible, after: lineBefore) else {
      return Line(sender: sender, text: line, isFirstLine: false)
    }
    sender = start.sender.map(String.init)
    return Line(sender: sender, text: String(start.text), isFirstLine: true)
  }

  private typealias Start = (sender: Substring?, text: Substring)

  private static func start(of line: Substring, after before: String) -> Start? {
    bracketed(line) ?? dated(line) ?? dashed(line, after: before) ?? labelled(line)
  }

  /// `[12/03/22, 12:03] Ann: text`; Discord's exports have `[12-Mar-22 12:03 PM] Ann` alone on the line.
  private static func bracketed(_ line: Substring) -> Start? {
    guard line.first == "[", let end = line.firstIndex(of: "]"), hasClock(line[..<end]) else { return nil }
    let rest = trimmed(line[line.index(after: end)...])
    if let message = message(rest) { return message }
    return isName(rest) ? (rest, "") : (nil, rest)
  }

  /// `12/03/22, 12:03 - Ann: text`, as WhatsApp writes it on Android; without a name, it is a message of the chat itself.
  private static func dated(_ line: Substring) -> Start? {
    guard line.first?.isNumber == true else { return nil }
    for dash in [" - ", " – "] {
      guard let separator = line.range(ofFirst: dash) else { continue }
      let time = line[..<separator.lowerBound]
      guard time.utf8.count <= 40, hasClock(time) else { continue }
      let rest = trimmed(line[separator.upperBound...])
      return message(rest) ?? (nil, rest)
    }
    return nil
  }

  /// `Ann — 12:03`, `Ann — Today at 12:03`, as copied from Discord; the name may be on the line before.
  private static func dashed(_ line: Substring, after before: String) -> Start? {
    guard let dash = line.range(ofLast: "—") ?? line.range(ofLast: " – ") else { return nil }
    let time = trimmed(line[dash.upperBound...])
    guard let last = time.last, last.isNumber || "Mm.".contains(last), time.utf8.count <= 40, hasClock(time)
    else { return nil }
    let name = trimmed(line[..<dash.lowerBound])
    if !name.isEmpty { return isName(name) ? (name, "") : nil }
    return isName(before[...]) ? (before[...], "") : nil
  }

  /// `From: Ann`, and a name directly before a share text.
  private static func labelled(_ line: Substring) -> Start? {
    guard let (name, text) = message(line), let name else { return nil }
    if name.lowercased() == "from", isName(text) { return (text, "") }
    let word = unmarked(text.prefix { !$0.isWhitespace })
    // The name stays in the line: a marker of bold text may begin before it.
    return word.lowercased() == "wordle" ? (unmarked(name), line) : nil
  }

  /// `Ann: text`
  private static func message(_ line: Substring) -> Start? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = trimmed(line[..<colon])
    return isName(name) ? (name, trimmed(line[line.index(after: colon)...])) : nil
  }

  /// Without what chats write around bold, italic and crossed-out text.
  private static func unmarked(_ text: Substring) -> Substring {
    var text = text.drop { "*_~`".contains($0) }
    while let last = text.last, "*_~`".contains(last) { text.removeLast() }
    return text
  }

  private static func isName(_ text: Substring) -> Bool {
    (1...80).contains(text.count) && text.contains { $0.isLetter || $0.isNumber || $0 == "+" }
      && !text.contains { "[]/🟩🟨⬛⬜🟧🟦".contains($0) }
  }

  /// Whether it contains a time of day: `9:05`, `12:03:11`, `8.15`.
  private static func hasClock(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { index in
      index > 0 && index + 2 < bytes.count && bytes[index] == UInt8(ascii: ":")
        && [bytes[index - 1], bytes[index + 1], bytes[index + 2]].allSatisfy(\.isASCIIDigit)
    }
  }

  /// Without white space, invisible characters and markers of bold text at both ends.
  private static func trimmed(_ text: Substring) -> Substring {
    func isBlank(_ character: Character) -> Bool {
      character.isWhitespace || character == ">"
        || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
    }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}

extension Substring {
  fileprivate func range(ofFirst part: String) -> Range<Index>? { range(of: part, in: Array(indices)) }
  fileprivate func range(ofLast part: String) -> Range<Index>? { range(of: part, in: indices.reversed()) }

  private func range(of part: String, in starts: [Index]) -> Range<Index>? {
    for start in starts where self[start...].hasPrefix(part) {
      return start..<index(start, offsetBy: part.count)
    }
    return nil
  }
}
