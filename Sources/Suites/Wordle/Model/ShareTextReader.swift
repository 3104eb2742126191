import System

/// A share text in a chat.
struct ChatShare: Equatable, Sendable {
  var game: SharedGame
  /// The name of the sender in the chat; nil if it is unknown.
  var sender: String?
  /// The number of the line with the title.
  var line: Int
}

/// A share text that cannot be used.
struct BrokenShare: Equatable, Sendable {
  var line: Int
  var reason: String

  var text: String { "line \(line): \(reason)" }
}

/// Finds share texts in other text: several in a row, with a name before the title, quoted, with black
/// or white squares, in high contrast, in an exported chat of several senders. Other text is ignored. A game whose rows
/// contradict its title is broken, and the others are read all the same.
struct ShareTextReader {
  private(set) var shares: [ChatShare] = []
  private(set) var broken: [BrokenShare] = []
  private var chat = ChatReader()
  private var title: Title?
  private var rows: [[Tile]] = []
  private var number = 0

  private struct Title {
    let id: Int
    let result: GameResult
    let isHard: Bool
    let line: Int
    var sender: String?
  }

  /// Reads all share texts, broken ones too.
  init(_ source: any ByteSource) throws(Failure) {
    var lines = LineReader(source, longest: 64 << 10, hint: "give share texts as Wordle makes them")
    while try lines.refill() {
      while let line = lines.next() {
        take(String(decoding: lines.buffer[line.range], as: UTF8.self))
      }
    }
    end()
  }

  private mutating func take(_ line: String) {
    number += 1
    let message = chat.take(line)
    // Another message: what follows does not belong to the share before it.
    if message.isFirstLine { end() }
    let line = message.text
    if var title = ShareTextReader.title(in: line, number) {
      end()
      title.sender = message.sender
      self.title = title
    } else if let row = ShareTextReader.row(in: line) {
      // Rows without a title belong to another game.
      guard let title else { return }
      rows.append(row)
      if rows.count > Score.mostTries {
        drop("Wordle \(title.id) has more than \(Score.mostTries) rows", at: number)
      }
    } else if !rows.isEmpty, line.contains(where: { !ShareTextReader.isIgnorable($0) }) {
      end()
    }
  }

  /// Completes the current game.
  private mutating func end() {
    guard let title else { return }
    if !rows.isEmpty, let problem = problem(title) { return drop(problem, at: title.line) }
    let game = SharedGame(id: title.id, result: title.result, isHard: title.isHard, rows: rows)
    shares.append(ChatShare(game: game, sender: title.sender, line: title.line))
    self.title = nil
    rows = []
  }

  private mutating func drop(_ reason: String, at line: Int) {
    broken.append(BrokenShare(line: line, reason: reason))
    title = nil
    rows = []
  }

  private func problem(_ title: Title) -> String? {
    let claimed = title.result.tries ?? Score.mostTries
    let name = "Wordle \(title.id) \(title.result.text)"
    guard rows.count == claimed else {
      return "\(name) has \(rows.count) \(rows.count == 1 ? "row" : "rows")"
    }
    guard rows.allSatisfy({ $0.count == rows[0].count }) else {
      return "\(name) has rows of different lengths"
    }
    let found = rows.firstIndex { row in row.allSatisfy { $0 == .correct } }
    guard found.map({ $0 + 1 }) == title.result.tries else {
      let location = found.map { "row \($0 + 1)" } ?? "no row"
      return "\(name) has the word in \(location)"
    }
    return nil
  }
}

extension ShareTextReader {
  /// `Wordle 1,281 4/6*`, anywhere in the line.
  private static func title(in line: String, _ number: Int) -> Title? {
    let words = line.split(whereSeparator: \.isWhitespace)
    for (index, word) in words.enumerated() where isName(word) {
      let rest = words[(index + 1)...]
      guard let end = rest.firstIndex(where: { $0.utf8.contains(UInt8(ascii: "/")) }) else { continue }
      let text = rest[end].drop { markers.contains($0) }
      guard let (result, stars) = result(text), let id = id(rest[..<end].joined()) else { continue }
      // A chat writes bold text between stars: they close what was opened before.
      let isHard = stars > openStars(line[..<text.startIndex])
      return Title(id: id, result: result, isHard: isHard, line: number)
    }
    return nil
  }

  /// The characters that chats write around bold, italic, crossed-out and fixed-width text.
  private static let markers: Set<Character> = ["*", "_", "~", "`"]

  /// The number of stars that are open at the end of the text: `*Wordle 281 ` has one, `*Ann:* Wordle` none.
  private static func openStars(_ text: Substring) -> Int {
    var open = 0
    var run = 0
    for character in text + " " {
      if character == "*" {
        run += 1
      } else if run > 0 {
        open = open == run ? 0 : run
        run = 0
      }
    }
    return open
  }

  /// `Wordle`, alone or after a prefix that does not end in a letter: `Ann:Wordle`, but not `Crosswordle`.
  private static func isName(_ word: Substring) -> Bool {
    var name = word.lowercased()
    while let last = name.last, markers.contains(last) { name.removeLast() }
    guard name.hasSuffix("wordle") else { return false }
    return name.dropLast(6).last?.isLetter != true
  }

  /// Digits with any thousands separator: `281`, `1,281`, `1.281`, `1 281`, `#281`.
  private static func id(_ text: String) -> Int? {
    let digits = text.filter { !",.'’#".contains($0) && !markers.contains($0) }
    guard (1...7).contains(digits.count), digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    return Int(digits)
  }

  /// `4/6` or `X/6`, and the number of stars behind it: one for hard mode. A tag or full stop may follow directly.
  private static func result(_ text: Substring) -> (GameResult, stars: Int)? {
    let characters = Array(text)
    guard characters.count >= 3, characters[1] == "/", characters[2] == "6" else { return nil }
    let stars = characters.dropFirst(3).prefix { $0 == "*" }.count
    guard characters.count == 3 || !characters[3].isNumber else { return nil }
    switch characters[0] {
    case "X", "x": return (.failed, stars)
    case "1"..."6": return characters[0].wholeNumberValue.map { (.solved($0), stars) }
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
