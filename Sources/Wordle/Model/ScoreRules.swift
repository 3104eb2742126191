import System

/// What a score has to be to be one of Wordle's. The service checks none of it.
enum ScoreRules {
  /// The score with its words in lower case, or a failure that says what is wrong with it.
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
    guard score.id >= 0 else { throw refusal("a number below 0") }
    guard (1...Score.mostTries).contains(score.tries.count) else {
      throw refusal("1 to \(Score.mostTries) tries wanted, not \(score.tries.count)")
    }
    let word = try Letters(score.word, role: "word")
    for (place, guess) in score.tries.enumerated() {
      let letters = try Letters(guess, role: "try")
      guard letters.folded.count == word.folded.count else {
        throw refusal("\(letters.described), the word \(word.described)")
      }
      guard letters.folded != word.folded || place == score.tries.count - 1 else {
        throw refusal("a try after the word was found, '\(score.tries[place + 1])'")
      }
    }
  }

  private static func refusal(_ message: String) -> Failure { Failure(.usage, message) }
}
