import System
import Terminal

struct CardStyle: Sendable {
  enum Letters: Sendable { case hidden, shown }

  var letters = Letters.hidden
  var tileColors = TileColors()
  var color = false
  var width = 80

  var tileWidth: Int { letters == .hidden ? 2 : 3 }
}

/// A score as Wordle shows it: title, day, and a row of tiles per try.
struct ScoreCard: Sendable {
  let score: Score
  let cardStyle: CardStyle

  struct Line: Equatable, Sendable {
    var text: String
    var width: Int

    static let empty = Line(text: "", width: 0)
  }

  var lines: [Line] { [line(score.title, .bold), line(subtitle, .dim), .empty] + score.tries.map(row) }

  var width: Int {
    let head = min(max(DisplayWidth.of(score.title), DisplayWidth.of(subtitle)), cardStyle.width)
    return score.tries.reduce(head) { max($0, rowWidth($1)) }
  }

  private var subtitle: String {
    cardStyle.letters == .shown ? score.revealingSubtitle : score.date.description
  }

  private func line(_ text: String, _ style: Style) -> Line {
    let text = text.truncated(to: cardStyle.width)
    return Line(text: cardStyle.color ? style.applied(to: text) : text, width: DisplayWidth.of(text))
  }

  private func row(_ guess: String) -> Line {
    let tiles = Tiles(loosely: guess, word: score.word)
    switch (cardStyle.letters, cardStyle.color) {
    case (.hidden, _):
      let style = TileStyle(.emoji, cardStyle.tileColors)
      return Line(text: tiles.map(style.symbol).joined(), width: tiles.count * cardStyle.tileWidth)
    case (.shown, true):
      let style = TileStyle(.ansi, cardStyle.tileColors)
      let cells = zip(tiles, guess).map { style.symbol($0) + ScoreCard.letter($1) + TileStyle.reset }
      return Line(text: cells.joined(), width: tiles.count * cardStyle.tileWidth)
    case (.shown, false):
      let text = zip(tiles, guess).map(ScoreCard.plain).joined()
      return Line(text: text, width: DisplayWidth.of(text))
    }
  }

  private func rowWidth(_ guess: String) -> Int {
    // Without color a wide letter makes its tile wider.
    guard cardStyle.letters == .shown, !cardStyle.color else { return guess.count * cardStyle.tileWidth }
    return row(guess).width
  }

  /// A letter between marks for its tile: `[N]`, `(Y)`, or blanks.
  static func plain(_ tile: Tile, _ letter: Character) -> String {
    let padded = ScoreCard.letter(letter)
    let shown = padded.last == " " ? padded.dropLast() : padded[...]
    return switch tile {
    case .correct: "[\(shown)]"
    case .present: "(\(shown))"
    case .absent: " \(shown) "
    }
  }

  /// A capital letter in two columns.
  static func letter(_ letter: Character) -> String {
    let upper = String(letter).uppercased()
    let shown = (upper.count == 1 ? upper : String(letter)).terminalSafe
    return switch DisplayWidth.of(shown) {
    case 1: shown + " "
    case 2 where shown.count == 1: shown
    default: "� "
    }
  }
}

extension Score {
  /// The day, and the word if it was not found, for a card that shows letters.
  var revealingSubtitle: String { isSolved ? date.description : "\(date) \(word.uppercased().terminalSafe)" }
}

struct CardSheet {
  private let cards: [ScoreCard]
  private let cardWidth: Int
  private let perRow: Int

  static let gap = 4

  init(_ scores: [Score], _ cardStyle: CardStyle) {
    cards = scores.map { ScoreCard(score: $0, cardStyle: cardStyle) }
    cardWidth = cards.map(\.width).max() ?? 0
    perRow = max(1, (cardStyle.width + CardSheet.gap) / (cardWidth + CardSheet.gap))
  }

  func each(_ body: (String) throws(Failure) -> Void) throws(Failure) {
    for start in stride(from: 0, to: cards.count, by: perRow) {
      if start > 0 { try body("") }
      let row = cards[start..<min(start + perRow, cards.count)].map(\.lines)
      for number in 0..<(row.map(\.count).max() ?? 0) {
        try body(line(row.map { number < $0.count ? $0[number] : .empty }))
      }
    }
  }

  private func line(_ parts: [ScoreCard.Line]) -> String {
    var text = ""
    for part in parts {
      text += part.text + String(repeating: " ", count: cardWidth + CardSheet.gap - part.width)
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
