import JSON
import System

/// One game: the word of a day and the tries.
struct Score: Equatable, Sendable {
  /// Wordle's number of the game. The client that adds a score chooses it.
  var id: Int
  var date: CalendarDay
  var word: String
  var tries: [String]

  /// A game of Wordle has six tries.
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

  /// The JSON that the service accepts and sends.
  var json: String { Score.json(id, date: date.description, word, tries) }

  /// The same with any text as the date, because the service does not validate dates.
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

  /// The scores of a new account and of one that was reset.
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

extension CalendarDay {
  init(_ json: JSON) throws(Failure) {
    let plain = json.withRawBytes { bytes in
      bytes.byteCount == 12 ? CalendarDay(utf8: bytes.extracting(1..<11)) : nil
    }
    if let plain {
      self = plain
      return
    }
    let text = try json.string
    guard let day = CalendarDay(text) else {
      throw json.invalid("expected a day like 2022-03-08, found '\(text)'")
    }
    self = day
  }
}

/// Wordle's rules for a score. The service does not check them.
enum ScoreRules {
  /// The score with its words in lower case; throws if it breaks a rule.
  static func checked(_ score: Score) throws(Failure) -> Score {
    var score = score
    score.word = score.word.lowercased()
    score.tries = score.tries.map { $0.lowercased() }
    do throws(Failure) {
      try check(score)
    } catch {
      throw Failure(
        .usage, "score \(score.id): \(error.message)",
        hint: "put it right, or say --force to send it all the same")
    }
    return score
  }

  private static func check(_ score: Score) throws(Failure) {
    guard score.id >= 0 else { throw failure("a number below 0") }
    guard (1...Score.mostTries).contains(score.tries.count) else {
      throw failure("1 to \(Score.mostTries) tries wanted, not \(score.tries.count)")
    }
    let word = try Letters(score.word, role: "word")
    for (index, guess) in score.tries.enumerated() {
      let letters = try Letters(guess, role: "try")
      guard letters.folded.count == word.folded.count else {
        throw failure("\(letters.described), the word \(word.described)")
      }
      guard letters.folded != word.folded || index == score.tries.count - 1 else {
        throw failure("a try after the word was found, '\(score.tries[index + 1])'")
      }
    }
  }

  private static func failure(_ message: String) -> Failure { Failure(.usage, message) }
}

/// Which scores are wanted: those of a period, of games that were solved or were not.
struct ScoreFilter: Sendable {
  enum Outcome: Sendable { case any, solved, failed }

  var period = Period()
  var outcome = Outcome.any

  var includesAll: Bool { period.isEverything && outcome == .any }

  func includes(_ score: Score) -> Bool {
    guard period.contains(score.date) else { return false }
    return switch outcome {
    case .any: true
    case .solved: score.isSolved
    case .failed: !score.isSolved
    }
  }
}
