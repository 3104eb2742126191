import Output

/// The output of `hw wordle hint`.
struct HintRow: Row {
  let remaining: Int
  let guesses: [Hint.Guess]

  static let fields: Fields<HintRow> = [
    .integer("remaining", "Remaining", "the number of words that remain possible") { $0.remaining },
    .rows("guesses", "Guesses", "the next guesses, the best first", of: Hint.Guess.fields) { $0.guesses },
  ]

  static let text: (@Sendable (HintRow, Screen?) -> String)? = { row, _ in
    let count = row.remaining == 1 ? "1 word is left" : "\(row.remaining) words are left"
    let width = row.guesses.map(\.word.count).max() ?? 0
    let lines = row.guesses.map { guess in
      let padding = String(repeating: " ", count: width - guess.word.count)
      return "\(guess.word)\(padding)  \(shown(guess.expectedParts))\(guess.fits ? "  can be the word" : "")"
    }
    return ([count, ""] + lines).joined(separator: "\n")
  }

  /// With two decimals.
  private static func shown(_ parts: Int) -> String {
    let hundredths = (parts + 50) / 100
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}

extension Hint.Guess: Row {
  static let fields: Fields<Hint.Guess> = [
    .text("word", "Word", "the guess") { $0.word },
    .number("expected", "Expected", "how many words would be left on average") { $0.expected },
    .flag("fits", "Fits", "whether it can be the word itself") { $0.fits },
  ]
}
