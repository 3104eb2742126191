import System

enum ShareFinding: Equatable, Sendable {
  case share(SharedGame)
  case broken(String)
  case skipped(SkipReason)
}

/// A reason for not importing a game, as the report names it.
enum SkipReason: String, Sendable, CaseIterable {
  case otherGame = "another game"
  case quoted = "quoted or forwarded"
  case mentioned = "a result without rows in other text"
  case future = "a game of the future"
  case unfinished = "an unfinished game"
  case initial = "an initial score of a new account"
  case undated = "a summary whose date is unknown or ambiguous"
  case unnamed = "a summary whose player is unknown or ambiguous"
}

/// Finds titles at the beginning of a line, and their rows. A title alone counts only without any other text.
struct ShareTextParser {
  private(set) var findings: [(index: Int, finding: ShareFinding)] = []
  private var title: (title: Title, index: Int)?
  private var rows: [[Tile]] = []
  private var titlesAlone: [(title: Title, index: Int)] = []
  private var hasOtherText = false

  /// The first line of a share text. Without `game` it is the title of another game.
  struct Title {
    var game: SharedGame?
    var hasComment = false
    /// Rows behind the title in its line.
    var rows: [[Tile]] = []
  }

  init(_ message: ChatMessage) {
    var isQuoted = message.isForwarded
    for (index, line) in message.lines.enumerated() {
      let start = line.utf8.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      let isQuote = start == UInt8(ascii: ">") || ShareTextParser.isReplied(index, in: message.lines)
      if isQuote, line.drop(while: ChatText.isBlank).hasPrefix(">>>") { isQuoted = true }
      if isQuote || isQuoted {
        takeQuote(line, index)
      } else {
        take(line, index)
      }
    }
    endTitle()
    for (title, index) in titlesAlone {
      guard let game = title.game, !hasOtherText else {
        findings.append((index, .skipped(title.game == nil ? .otherGame : .mentioned)))
        continue
      }
      findings.append((index, .share(game)))
    }
    findings.sort { $0.index < $1.index }
  }

  /// Whether the line is the message to which a reply in Discord refers: it has title and rows, and `@NAME` above it.
  private static func isReplied(_ index: Int, in lines: [Substring]) -> Bool {
    index > 0 && ChatText.trimmed(lines[index - 1]).hasPrefix("@")
      && title(lines[index])?.rows.isEmpty == false
  }

  private mutating func takeQuote(_ line: Substring, _ index: Int) {
    if ShareTextParser.title(line.drop { $0 == ">" || ChatText.isBlank($0) })?.game != nil {
      findings.append((index, .skipped(.quoted)))
    }
    endTitle()
    hasOtherText = true
  }

  private mutating func take(_ line: Substring, _ index: Int) {
    if let title = ShareTextParser.title(line) {
      endTitle()
      (self.title, rows) = ((title, index), title.rows)
      if title.hasComment || title.game == nil { hasOtherText = true }
    } else if let row = ShareTextParser.row(line) {
      // Rows without a title belong to another game.
      if title == nil { hasOtherText = true } else { rows.append(row) }
    } else if ShareTextParser.isForeignRow(line) {
      hasOtherText = true
    } else if ShareTextParser.hasLetter(ShareTextParser.withoutEditMark(line)) {
      if ShareTextParser.isMention(line) { findings.append((index, .skipped(.mentioned))) }
      hasOtherText = true
      if !rows.isEmpty || ShareTextParser.isOtherTitle(line) { endTitle() }
    }
  }

  /// Adds the finding of the last title and its rows.
  private mutating func endTitle() {
    defer { (title, rows) = (nil, []) }
    guard let (title, index) = title else { return }
    guard !rows.isEmpty else { return titlesAlone.append((title, index)) }
    let widths = Set(rows.map(\.count))
    guard var game = title.game, widths.count > 1 || widths == [5] else {
      return findings.append((index, .skipped(.otherGame)))
    }
    if let problem = problem(game) { return findings.append((index, .broken(problem))) }
    game.rows = rows
    findings.append((index, .share(game)))
  }

  private func problem(_ game: SharedGame) -> String? {
    let result = game.result
    let name = "Wordle \(game.id) \(result.text)"
    guard rows.count <= Score.mostTries else { return "\(name) has more than \(Score.mostTries) rows" }
    guard rows.count == result.tries ?? Score.mostTries else {
      return "\(name) has \(rows.count) \(rows.count == 1 ? "row" : "rows")"
    }
    guard rows.allSatisfy({ $0.count == rows[0].count }) else {
      return "\(name) has rows of different lengths"
    }
    let found = rows.firstIndex { row in row.allSatisfy { $0 == .correct } }
    guard found.map({ $0 + 1 }) == result.tries else {
      return "\(name) has the word in \(found.map { "row \($0 + 1)" } ?? "no row")"
    }
    // Hard mode keeps found letters.
    let loses = zip(rows, rows.dropFirst()).contains { row, next in
      row.count { $0 != .absent } > next.count { $0 != .absent }
        || zip(row, next).contains { $0 == .correct && $1 != .correct }
    }
    return game.isHard && loses ? "\(name)* has rows that hard mode does not allow" : nil
  }

  // MARK: Titles and rows

  private static let name = "wordle"

  /// Parses `Wordle 1,281 4/6*` at the beginning of the line, after marks of bold text, quotation marks and emoji. A
  /// line with other words around the name and a result is the title of another game.
  static func title(_ line: Substring) -> Title? {
    guard line.utf8.contains(UInt8(ascii: "/")), line.utf8.contains(where: { $0 | 0x20 == UInt8(ascii: "w") })
    else { return nil }
    let text = line.prefix(1000).lowercased()
    guard text.contains(name) else { return nil }
    var scanner = TitleScanner(Array(line.unicodeScalars.prefix(1000)))
    if let game = scanner.game() {
      let rest = Substring(scanner.rest)
      // A single square is decoration.
      let rows = rest.split(separator: " ").compactMap(row).filter { $0.count > 1 }
      return Title(game: game, hasComment: hasLetter(withoutEditMark(rest)), rows: rows)
    }
    // Names of games are short: `Spanish Wordle #12 3/6`.
    let before = text.hasPrefix(name) ? "" : text.split(by: name).first ?? ""
    guard before.split(whereSeparator: \.isWhitespace).count <= 2, !isSentence(line), isResult(line) else {
      return nil
    }
    return Title(game: nil)
  }

  /// Whether a line addresses somebody, or continues after its result.
  private static func isSentence(_ line: Substring) -> Bool {
    guard ChatText.trimmed(line).first != "@", let slash = line.lastIndex(of: "/") else { return true }
    return hasLetter(withoutEditMark(line[slash...]))
  }

  private static func isMention(_ line: Substring) -> Bool {
    line.utf8.contains(UInt8(ascii: "/")) && line.prefix(4096).lowercased().contains(name) && isResult(line)
  }

  private static func isResult(_ line: Substring) -> Bool {
    let bytes = Array(line.utf8.prefix(4096))
    return bytes.indices.contains { index in
      index > 0 && index + 1 < bytes.count && bytes[index] == UInt8(ascii: "/")
        && bytes[index + 1].isASCIIDigit
        && (bytes[index - 1].isASCIIDigit || bytes[index - 1] | 0x20 == UInt8(ascii: "x"))
    }
  }

  /// The title of a game with another name, whose rows may follow.
  private static func isOtherTitle(_ line: Substring) -> Bool {
    let text = line.prefix(200).lowercased()
    return text.utf8.contains(where: \.isASCIIDigit) && (text.contains("dle") || text.contains("#"))
  }

  /// Names of emoji such as `:tada:` have no letters.
  static func hasLetter(_ line: Substring) -> Bool {
    var scalars = line.unicodeScalars
    while let scalar = scalars.popFirst() {
      if ChatText.isLetter(scalar) { return true }
      if scalar == ":", let end = ChatText.endOfEmoji(scalars) { scalars = scalars[end...] }
    }
    return false
  }

  /// Removes a `<br>`, or the mark of an edited message: in angle brackets in WhatsApp, else in parentheses.
  private static func withoutEditMark(_ line: Substring) -> Substring {
    let line = ChatText.trimmed(line)
    guard let last = line.last, last == ">" || last == ")" else { return line }
    if last == ">", let start = line.lastIndex(of: "<") { return line[..<start] }
    if let start = line.lastIndex(of: "("),
      editMarks.contains(line[start...].dropFirst().dropLast().lowercased())
    {
      return line[..<start]
    }
    return line
  }

  private static let editMarks: Set<String> = [
    "edited", "bearbeitet", "modifié", "modifiée", "editado", "modificato", "bewerkt", "redigeret",
    "redigert",
    "redigerad", "muokattu", "edytowano", "upraveno", "изменено", "düzenlendi", "編集済", "编辑", "已編輯", "수정됨",
  ]

  /// The tiles at the beginning of a line. Other text may follow a row of at least five.
  static func row(_ line: Substring) -> [Tile]? {
    // Most lines begin with a letter.
    guard let start = line.utf8.first(where: { $0 > 0x20 }), !start.isASCIIAlphanumeric else { return nil }
    var (row, first): ([Tile], Int?) = ([], nil)
    var scalars = line.unicodeScalars
    while let scalar = scalars.popFirst() {
      if let tile = tile(scalar) {
        row.append(tile)
      } else if scalar == ":", let end = ChatText.endOfEmoji(scalars),
        let tile = tile(String(scalars[..<end]))
      {
        row.append(tile)
        scalars = scalars[end...]
      } else if scalar == " " || scalar == "\t" {
        if !row.isEmpty { first = first ?? row.count }
      } else if !"*_~`|".unicodeScalars.contains(scalar), !ChatText.isInvisible(scalar) {
        let count = first ?? row.count
        return count >= 5 ? Array(row.prefix(count)) : nil
      }
    }
    return row.isEmpty ? nil : row
  }

  private static func tile(_ name: String) -> Tile? {
    switch name {
    case "large_green_square:", "green_square:", "large_orange_square:", "orange_square:": .correct
    case "large_yellow_square:", "yellow_square:", "large_blue_square:", "blue_square:": .present
    case "black_large_square:", "white_large_square:": .absent
    default: nil
    }
  }

  /// Whether the line is a row of squares or circles that Wordle does not use.
  private static func isForeignRow(_ line: Substring) -> Bool {
    let scalars = ChatText.trimmed(line.prefix(40)).unicodeScalars
    let squares = scalars.prefix { (0x1F7E0...0x1F7EB).contains($0.value) || tile($0) != nil }
    return squares.count >= 4 && squares.count == scalars.count
  }

  private static func tile(_ scalar: Unicode.Scalar) -> Tile? {
    switch scalar {
    case "🟩", "🟧": .correct
    case "🟨", "🟦": .present
    case "⬛", "⬜": .absent
    default: nil
    }
  }
}
