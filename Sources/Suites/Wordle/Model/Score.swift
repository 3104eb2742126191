import JSON
import System

struct Score: Equatable, Sendable {
  /// Wordle's number of the game, chosen by the client.
  var id: Int
  var date: CalendarDay
  var word: String
  var tries: [String]
  /// Hard mode. The live service does not store it.
  var isHard = false

  static let mostTries = 6

  var result: GameResult { GameResult(tries, of: word) }

  var isSolved: Bool { result.tries != nil }

  var isUnfinished: Bool { result == .unfinished }

  /// Whether this is a score of a new account, which counts in no statistics.
  var isInitial: Bool { Score.initial.contains(self) }

  var title: String { GameResult.title(of: id, result) }

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
    isHard = try members["hard"].orNull?.bool ?? false
    if let problem = ScoreRules.problem(of: self) { throw json["tries"].invalid(problem) }
  }

  var json: String {
    let object = JSONWriter.object { writer in
      writer.member("id", id)
      writer.member("date", date.description)
      writer.member("word", word)
      writer.array("tries") { writer in
        for one in tries { writer.string(one) }
      }
      if isHard { writer.member("hard", true) }
    }
    return String(decoding: object, as: UTF8.self)
  }

  static let initial = [
    Score(264, "lapse", ["stair", "peony", "lapse"]),
    Score(263, "month", ["stair", "tuned", "monty", "month"]),
    Score(262, "sweet", ["corgi", "pause", "sleds", "sweet"]),
  ]

  init(_ id: Int, _ word: String, _ tries: [String]) {
    self.init(id: id, date: CalendarDay(wordle: id), word: word, tries: tries)
  }
}

extension CalendarDay {
  init(_ json: JSON) throws(Failure) {
    // The usual day has ten characters between quotation marks, and is read without a string.
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

/// Wordle's rules for scores. `hw serve` checks all but hard mode, and the live service checks nothing.
enum ScoreRules {
  /// Returns the score with its words in lower case. Throws if it breaks a rule.
  static func checked(_ score: Score) throws(Failure) -> Score {
    var score = score
    score.word = score.word.lowercased()
    score.tries = score.tries.map { $0.lowercased() }
    do throws(Failure) {
      try check(score)
    } catch {
      throw Failure(.usage, "score \(score.id): \(error.message)", hint: "correct the score")
    }
    return score
  }

  private static func check(_ score: Score) throws(Failure) {
    try checkShape(score)
    if let problem = problem(of: score) { throw failure(problem) }
    guard score.isHard else { return }
    for (guess, next) in zip(score.tries, score.tries.dropFirst()) {
      let letters = Array(next)
      var unused = letters
      for (index, (tile, letter)) in zip(Tiles(loosely: guess, word: score.word), guess).enumerated()
      where tile != .absent {
        guard tile == .present || letters[index] == letter, let place = unused.firstIndex(of: letter) else {
          throw failure("in hard mode '\(next)' requires the '\(letter)' of '\(guess)'")
        }
        unused.remove(at: place)
      }
    }
  }

  /// The reason why a score is impossible; nil for a valid one.
  static func problem(of score: Score) -> String? {
    if score.word.isEmpty { return "the word is empty" }
    guard (1...Score.mostTries).contains(score.tries.count) else {
      return "expected 1 to \(Score.mostTries) tries, not \(score.tries.count)"
    }
    let length = score.word.utf8.count
    for (index, guess) in score.tries.enumerated() {
      if guess.utf8.count != length, guess.count != score.word.count {
        return "'\(guess)' and the word '\(score.word)' have different lengths"
      }
      if index + 1 < score.tries.count, Letters.areSame(guess, score.word) {
        return "a try after the word was found, '\(score.tries[index + 1])'"
      }
    }
    return nil
  }

  /// Checks the number, and that the tries are words of the length of the solution. Accepts games other than Wordle.
  static func checkShape(_ score: Score) throws(Failure) {
    guard score.id >= 0 else { throw failure("a number below 0") }
    let word = try Letters(score.word, role: "word")
    for guess in score.tries {
      let letters = try Letters(guess, role: "try")
      guard letters.folded.count == word.folded.count else {
        throw failure("\(letters.described), the word \(word.described)")
      }
    }
  }

  private static func failure(_ message: String) -> Failure { Failure(.usage, message) }
}
