import System

/// A word of a list, with its letters as small numbers: equal letters have equal numbers.
struct HintWord: Equatable, Sendable {
  let text: String
  let letters: [UInt8]

  var lengthText: String { letters.count == 1 ? "1 letter" : "\(letters.count) letters" }

  /// The tiles of this word as a guess.
  func tiles(_ word: HintWord) -> [Tile] {
    var tiles = [Tile](repeating: .absent, count: letters.count)
    var left = [UInt8](repeating: 0, count: 256)
    for (place, letter) in word.letters.enumerated() {
      if letters[place] == letter { tiles[place] = .correct } else { left[Int(letter)] += 1 }
    }
    for (place, letter) in letters.enumerated() where tiles[place] != .correct && left[Int(letter)] > 0 {
      tiles[place] = .present
      left[Int(letter)] -= 1
    }
    return tiles
  }
}

/// The numbers of letters. Case does not matter.
struct HintAlphabet {
  private var numbers: [String: UInt8] = [:]

  /// Throws (`usage`) for something that is not a word, and for more different letters than there are numbers.
  mutating func word(_ text: String) throws(Failure) -> HintWord {
    let letters = try Letters(text, role: "word")
    var codes: [UInt8] = []
    for letter in letters.folded { codes.append(try number(letter)) }
    return HintWord(text: text.lowercased(), letters: codes)
  }

  private mutating func number(_ letter: String) throws(Failure) -> UInt8 {
    if let known = numbers[letter] { return known }
    guard numbers.count < 256 else { throw Failure(.usage, "more than 256 different letters") }
    let number = UInt8(numbers.count)
    numbers[letter] = number
    return number
  }

  /// The words of a list, one a line, each once. Blank lines are skipped; all words have the same length.
  mutating func list(_ source: any ByteSource, name: String) throws(Failure) -> [HintWord] {
    var lines = LineReader(source, name: name)
    var words: [HintWord] = []
    var known: Set<[UInt8]> = []
    while let line = try lines.nextText() {
      let text = PlayerName.trimmed(line)
      guard !text.isEmpty else { continue }
      do throws(Failure) {
        let word = try word(text)
        guard known.insert(word.letters).inserted else { continue }
        if let first = words.first, first.letters.count != word.letters.count {
          throw Failure(
            .usage,
            "'\(word.text)' has \(word.lengthText), the words before it \(first.letters.count)")
        }
        words.append(word)
      } catch {
        throw Failure(
          .usage, "'\(name)', line \(lines.number): \(error.message)", hint: "give one word per line",
          details: [.init("line", .integer(lines.number))])
      }
    }
    guard !words.isEmpty else {
      throw Failure(.usage, "'\(name)' has no words", hint: "give one word per line")
    }
    return words
  }
}

/// A guess that was made, and its tiles: `crane=bygbb`, or with squares as in a share text.
struct HintClue: Equatable, Sendable {
  let guess: String
  let tiles: [Tile]

  init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let letters = try? Letters(String(parts[0]), role: "guess")
    else {
      return nil
    }
    var tiles: [Tile] = []
    for character in parts[1] {
      switch character.unicodeScalars.first {
      case "g", "G", "🟩", "🟧": tiles.append(.correct)
      case "y", "Y", "🟨", "🟦": tiles.append(.present)
      case "b", "B", "⬛", "⬜": tiles.append(.absent)
      default: return nil
      }
    }
    guard tiles.count == letters.folded.count else { return nil }
    guess = String(parts[0])
    self.tiles = tiles
  }
}

/// What is known after some guesses, and the best next ones.
struct Hint: Equatable, Sendable {
  /// How many words of the list fit.
  let remaining: Int
  /// The best guess first: the smallest expectation, a word that fits before one that does not, then by the alphabet.
  let guesses: [Guess]

  struct Guess: Equatable, Sendable {
    let word: String
    /// How many words would be left on average, in ten-thousandths.
    let expectedParts: Int
    /// Whether it can be the word itself.
    let fits: Bool

    var expected: Double { Double(expectedParts) / 10_000 }
  }

  /// `guesses` are the words that may be tried, `words` those that may be the word.
  init(
    _ clues: [HintClue], words: [HintWord], guesses: [HintWord], _ alphabet: inout HintAlphabet
  ) throws(Failure) {
    let length = words.first?.letters.count ?? 0
    if let guess = guesses.first, guess.letters.count != length {
      throw Failure(.usage, "the guesses have \(guess.lengthText), the words \(length)")
    }
    var left = words
    for clue in clues {
      let guess = try alphabet.word(clue.guess)
      guard guess.letters.count == length else {
        throw Failure(
          .usage, "'\(clue.guess)' has \(guess.lengthText), the words of the list have \(length)")
      }
      left = left.filter { guess.tiles($0) == clue.tiles }
    }
    remaining = left.count
    guard !left.isEmpty else {
      self.guesses = []
      return
    }
    let sums = try GuessRater(left).sums(guesses)
    let fitting = Set(left.map(\.letters))
    let rated = zip(guesses, sums).map { (word: $0, sum: $1, fits: fitting.contains($0.letters)) }
    let sorted = rated.sorted { a, b in
      (a.sum, a.fits ? 0 : 1, a.word.text) < (b.sum, b.fits ? 0 : 1, b.word.text)
    }
    self.guesses = sorted.map { guess in
      Guess(
        word: guess.word.text, expectedParts: (guess.sum * 20_000 + left.count) / (2 * left.count),
        fits: guess.fits)
    }
  }
}
