import JSON
import System

/// One game: the word of a day, and the tries at it.
struct Score: Equatable, Sendable {
  /// Wordle's own number of the game, chosen by whoever adds the score.
  var id: Int
  var date: CalendarDay
  var word: String
  var tries: [String]

  /// Wordle's six.
  static let mostTries = 6

  /// The service validates nothing: a last try that is not the word is a lost or unfinished game, and so is one that
  /// took more tries than there are.
  var isSolved: Bool {
    tries.count <= Score.mostTries
      && tries.last.map { $0 == word || $0.lowercased() == word.lowercased() } ?? false
  }

  var result: GameResult { isSolved ? .solved(tries.count) : .failed }

  /// `Wordle 1,281 4/6`
  var title: String { GameResult.title(of: id, result) }

  /// A row of tiles for each try.
  var tiles: [Tiles] { tries.map { Tiles(loosely: $0, word: word) } }

  static func isNewer(_ a: Score, _ b: Score) -> Bool { (a.date, a.id) > (b.date, b.id) }
}

extension Score {
  init(_ json: JSON) throws(Failure) {
    id = try json["id"].int
    let day = json["date"]
    guard let date = CalendarDay(try day.string) else {
      throw day.complaint("expected a day like 2022-03-08, found '\(try day.string)'")
    }
    self.date = date
    word = try json["word"].string
    var tries: [String] = []
    tries.reserveCapacity(Score.mostTries)
    for one in try json["tries"].array { tries.append(try one.string) }
    self.tries = tries
  }

  /// As the service takes and sends it.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("id")
      writer.integer(id)
      writer.key("date")
      writer.string(date.description)
      writer.key("word")
      writer.string(word)
      writer.key("tries")
      writer.array { writer in
        for one in tries { writer.string(one) }
      }
    }
  }

  /// What every account begins with, and goes back to.
  static let initial = [
    Score(id: 264, day: (2022, 3, 10), "lapse", ["stair", "peony", "lapse"]),
    Score(id: 263, day: (2022, 3, 9), "month", ["stair", "tuned", "monty", "month"]),
    Score(id: 262, day: (2022, 3, 8), "sweet", ["corgi", "pause", "sleds", "sweet"]),
  ].compactMap { $0 }

  private init?(id: Int, day: (Int, Int, Int), _ word: String, _ tries: [String]) {
    guard let date = CalendarDay(year: day.0, month: day.1, day: day.2) else { return nil }
    self.init(id: id, date: date, word: word, tries: tries)
  }
}
