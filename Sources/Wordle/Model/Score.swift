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

  var result: GameResult { GameResult(tries, of: word) }

  var isSolved: Bool { result != .failed }

  /// `Wordle 1,281 4/6`
  var title: String { GameResult.title(of: id, result) }

  /// A row of tiles for each try.
  var tiles: [Tiles] { tries.map { Tiles(loosely: $0, word: word) } }

  static func isNewer(_ a: Score, _ b: Score) -> Bool { (a.date, a.id) > (b.date, b.id) }
}

extension Score {
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    id = try members["id"].int
    date = try CalendarDay(members["date"])
    word = try members["word"].string
    var tries: [String] = []
    tries.reserveCapacity(Score.mostTries)
    for one in try members["tries"].array { tries.append(try one.string) }
    self.tries = tries
  }

  /// As the service takes and sends it.
  var json: String { Score.json(id, date: date.description, word, tries) }

  /// The same of one whose date may be none: the service looks at none of it.
  static func json(_ id: Int, date: String, _ word: String, _ tries: [String]) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", id)
      writer.member("date", date)
      writer.member("word", word)
      writer.array("tries") { writer in
        for one in tries { writer.string(one) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
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
