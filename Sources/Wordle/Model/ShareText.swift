import System

/// A game as a share text contains it: the result and the rows of tiles, but no letters.
struct SharedGame: Equatable, Sendable {
  /// Wordle's own number of the game.
  var id: Int
  var result: GameResult
  /// Hard mode: letters that were found must be used in later tries.
  var isHard = false
  /// Empty if only the first line of the share text was given.
  var rows: [[Tile]]
}

extension SharedGame {
  init(_ score: Score) {
    self.init(id: score.id, result: score.result, rows: score.tiles.map(Array.init))
  }

  /// The share text as Wordle writes it: title, empty line, rows.
  func text(_ colors: TileColors) -> String {
    let lines = rows.map { row in row.map(colors.square).joined() }
    return ([GameResult.title(of: id, result) + (isHard ? "*" : ""), ""] + lines).joined(separator: "\n")
  }
}

/// Finds share texts in other text: several in a row, with a name before the title, quoted, with black
/// or white squares, in high contrast. Other text is ignored. A game whose rows contradict its title is an error.
struct ShareTextReader {
  private(set) var games: [SharedGame] = []
  private var title: Title?
  private var rows: [[Tile]] = []
  private var number = 0

  private struct Title {
    let id: Int
    let result: GameResult
    let isHard: Bool
    let line: Int
  }

  static func games(in source: any ByteSource) throws(Failure) -> [SharedGame] {
    var lines = LineReader(source, longest: 64 << 10, hint: "give share texts as Wordle makes them")
    var reader = ShareTextReader()
    while try lines.refill() {
      while let line = lines.next() {
        try reader.take(String(decoding: lines.buffer[line.range], as: UTF8.self))
      }
    }
    try reader.end()
    return reader.games
  }

  private mutating func take(_ line: String) throws(Failure) {
    number += 1
    if let title = ShareTextReader.title(in: line, number) {
      try end()
      self.title = title
    } else if let row = ShareTextReader.row(in: line) {
      // Rows without a title belong to another game.
      guard let title else { return }
      rows.append(row)
      guard rows.count <= Score.mostTries else {
        throw failure("Wordle \(title.id) has more than \(Score.mostTries) rows")
      }
    } else if !rows.isEmpty, line.contains(where: { !ShareTextReader.isIgnorable($0) }) {
      try end()
    }
  }

  /// Completes the current game.
  private mutating func end() throws(Failure) {
    guard let title else { return }
    if !rows.isEmpty { try check(title) }
    games.append(SharedGame(id: title.id, result: title.result, isHard: title.isHard, rows: rows))
    self.title = nil
    rows = []
  }

  private func check(_ title: Title) throws(Failure) {
    let claimed = title.result.tries ?? Score.mostTries
    let name = "Wordle \(title.id) \(title.result.text)"
    guard rows.count == claimed else {
      throw failure("\(name) has \(rows.count) \(rows.count == 1 ? "row" : "rows")", at: title.line)
    }
    guard rows.allSatisfy({ $0.count == rows[0].count }) else {
      throw failure("\(name) has rows of different lengths", at: title.line)
    }
    let found = rows.firstIndex { row in row.allSatisfy { $0 == .correct } }
    guard found.map({ $0 + 1 }) == title.result.tries else {
      let location = found.map { "row \($0 + 1)" } ?? "no row"
      throw failure("\(name) has the word in \(location)", at: title.line)
    }
  }

  private func failure(_ message: String, at line: Int? = nil) -> Failure {
    Failure(
      .usage, "line \(line ?? number): \(message)", hint: "copy the share text again, and whole",
      details: [.init("line", .integer(line ?? number))])
  }
}

extension ShareTextReader {
  /// `Wordle 1,281 4/6*`, anywhere in the line.
  private static func title(in line: String, _ number: Int) -> Title? {
    let words = line.split { $0.isWhitespace || $0 == "\u{00A0}" || $0 == "\u{202F}" }
    for (index, word) in words.enumerated() where isName(word) {
      let rest = words[(index + 1)...]
      guard let end = rest.firstIndex(where: { $0.utf8.contains(UInt8(ascii: "/")) }),
        let (result, isHard) = result(rest[end]),
        let id = id(rest[..<end].joined())
      else { continue }
      return Title(id: id, result: result, isHard: isHard, line: number)
    }
    return nil
  }

  /// `Wordle`, alone or after a prefix that does not end in a letter: `Ann:Wordle`, but not `Crosswordle`.
  private static func isName(_ word: Substring) -> Bool {
    let name = word.lowercased()
    guard name.hasSuffix("wordle") else { return false }
    return name.dropLast(6).last?.isLetter != true
  }

  /// Digits with any thousands separator: `281`, `1,281`, `1.281`, `1 281`, `#281`.
  private static func id(_ text: String) -> Int? {
    let digits = text.filter { !",.'’#".contains($0) }
    guard (1...7).contains(digits.count), digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(digits)
  }

  /// `4/6` or `X/6`, with an optional `*` for hard mode. A tag or full stop may follow directly.
  private static func result(_ text: Substring) -> (GameResult, isHard: Bool)? {
    let characters = Array(text)
    guard characters.count >= 3, characters[1] == "/", characters[2] == "6" else { return nil }
    let isHard = characters.count > 3 && characters[3] == "*"
    guard characters.count == 3 || !characters[3].isNumber else { return nil }
    switch characters[0] {
    case "X", "x": return (.failed, isHard)
    case "1"..."6": return characters[0].wholeNumberValue.map { (.solved($0), isHard) }
    default: return nil
    }
  }

  /// A row of tiles, with nothing around it but what chats and web pages add.
  private static func row(in line: String) -> [Tile]? {
    var row: [Tile] = []
    for character in withoutTags(line) where !isIgnorable(character) {
      guard let scalar = character.unicodeScalars.first, let tile = tile(scalar) else { return nil }
      row.append(tile)
    }
    return row.isEmpty ? nil : row
  }

  /// Without a `<br>` at its end.
  private static func withoutTags(_ line: String) -> Substring {
    guard let tag = line.lastIndex(of: "<"), line[tag...].hasPrefix("<br") else { return line[...] }
    return line[..<tag]
  }

  /// White space, quotation marks and invisible characters.
  private static func isIgnorable(_ character: Character) -> Bool {
    if character.isWhitespace || character == ">" { return true }
    return character.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .format, .control: true
      default: scalar.properties.isVariationSelector
      }
    }
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
