import System

/// Rates guesses: how many words would be left after each, on average.
///
/// If a guess splits N words into groups of n₁, n₂, … with equal tiles, the word is in group i with the probability
/// nᵢ/N, and then nᵢ words are left: the expectation is Σnᵢ²/N.
///
/// For up to five letters the tiles of a guess are a number below 243, the sum of one contribution for each of its
/// letters: which places the letter has in the guess and in the word decides it, whatever the other letters are. These
/// contributions are tabulated, a byte for each word, so that the tiles of 32 words are a few additions of vectors.
struct GuessRater: Sendable {
  private let words: [HintWord]
  private let tables: Tables?

  init(_ words: [HintWord]) {
    self.words = words
    tables = words.first.map { $0.letters.count <= Tables.longestWord } == true ? Tables(words) : nil
  }

  /// Σnᵢ² of each guess. The guesses and the words have the same length.
  func sums(_ guesses: [HintWord]) throws(Failure) -> [Int] {
    let threads = min(Processors.count, max(1, guesses.count * words.count / 100_000), 16)
    let parts = (0..<threads).map { guesses.count * $0 / threads..<guesses.count * ($0 + 1) / threads }
    let rater = self
    let workers = try parts.dropFirst().map { part throws(Failure) in
      try onOtherThread { () throws(SystemError) in
        let work = try BackgroundWork<Range<Int>, [Int]> { rater.sums(guesses[$0]) }
        work.submit(part)
        return work
      }
    }
    var sums = self.sums(guesses[parts[0]])
    for work in workers {
      sums += try onOtherThread { () throws(SystemError) in
        while true {
          if let result = work.next() { return result }
          _ = try Waiting.forInput([work.descriptor], atMost: nil)
        }
      }
    }
    return sums
  }

  private func onOtherThread<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw error.failure(orElse: Failure(.storage, "cannot work on another thread: \(error.text)"))
    }
  }

  private func sums(_ guesses: ArraySlice<HintWord>) -> [Int] {
    guesses.map { guess in
      if let tables { return tables.sum(guess) }
      var groups: [[Tile]: Int] = [:]
      for word in words { groups[guess.tiles(word), default: 0] += 1 }
      return groups.values.reduce(0) { $0 + $1 * $1 }
    }
  }

  /// The contributions of letters to the tiles of guesses.
  private struct Tables: Sendable {
    static let longestWord = 5
    private static let lanes = 32
    /// The sets of places in a word of five letters.
    private static let sets = 32

    private let blocks: Int
    private let count: Int
    /// For each letter, and each set of places it can have in a guess: its contribution for each word.
    private var contributions: [SIMD32<UInt8>] = []
    /// Where in `contributions` the tables of a letter begin; -1 for a letter that no word has.
    private var starts = [Int](repeating: -1, count: 256)

    init(_ words: [HintWord]) {
      count = words.count
      blocks = (words.count + Tables.lanes - 1) / Tables.lanes
      let codes = Tables.codes
      var places: [UInt8: [UInt8]] = [:]
      for (index, word) in words.enumerated() {
        for (place, letter) in word.letters.enumerated() {
          places[letter, default: [UInt8](repeating: 0, count: words.count)][index] |= 1 << UInt8(place)
        }
      }
      contributions.reserveCapacity(places.count * Tables.sets * blocks)
      for (letter, places) in places {
        starts[Int(letter)] = contributions.count
        for set in 0..<Tables.sets { appendTable(places, codes[set]) }
      }
    }

    /// `codes` are the contributions of one set of places in the guess, by the places in the word.
    private mutating func appendTable(_ places: [UInt8], _ codes: [UInt8]) {
      for block in 0..<blocks {
        var vector = SIMD32<UInt8>()
        let first = block * Tables.lanes
        for lane in 0..<min(Tables.lanes, places.count - first) {
          vector[lane] = codes[Int(places[first + lane])]
        }
        contributions.append(vector)
      }
    }

    /// The contribution of a letter by its places in the guess and in the word: tile n counts 3ⁿ times 0, 1 or 2. The
    /// letters in the right places use up theirs first, then the others from left to right.
    private static let codes: [[UInt8]] = (0..<sets).map { inGuess in
      (0..<sets).map { inWord in
        let correct = inGuess & inWord
        var left = (inWord & ~correct).nonzeroBitCount
        var code = 0
        var power = 1
        for place in 0..<longestWord {
          if correct & 1 << place != 0 {
            code += 2 * power
          } else if inGuess & 1 << place != 0, left > 0 {
            code += power
            left -= 1
          }
          power *= 3
        }
        return UInt8(code)
      }
    }

    func sum(_ guess: HintWord) -> Int {
      // The tables of the letters that some word has; up to five, each letter once.
      var tables = InlineArray<5, Int>(repeating: 0)
      var used = 0
      for (place, letter) in guess.letters.enumerated() where starts[Int(letter)] >= 0 {
        guard !guess.letters[..<place].contains(letter) else { continue }
        var set = 0
        for (other, same) in guess.letters.enumerated() where same == letter { set |= 1 << other }
        tables[used] = starts[Int(letter)] + set * blocks
        used += 1
      }
      // Four tables of counts: two words in a row with equal tiles do not wait for each other.
      var counts = InlineArray<1024, UInt32>(repeating: 0)
      let contributions = contributions.span
      for block in 0..<blocks {
        var vector = SIMD32<UInt8>()
        for table in 0..<used { vector &+= contributions[tables[table] + block] }
        // Sound: both are 32 bytes without padding, and any bits are an integer.
        let quarters = unsafe unsafeBitCast(vector, to: SIMD4<UInt64>.self)
        for quarter in 0..<4 {
          let bytes = quarters[quarter]
          counts[Int(bytes & 0xFF)] &+= 1
          counts[256 + Int(bytes >> 8 & 0xFF)] &+= 1
          counts[512 + Int(bytes >> 16 & 0xFF)] &+= 1
          counts[768 + Int(bytes >> 24 & 0xFF)] &+= 1
          counts[Int(bytes >> 32 & 0xFF)] &+= 1
          counts[256 + Int(bytes >> 40 & 0xFF)] &+= 1
          counts[512 + Int(bytes >> 48 & 0xFF)] &+= 1
          counts[768 + Int(bytes >> 56)] &+= 1
        }
      }
      var sum = 0
      // The last vector is filled up with words that do not exist: they have no letter of the guess.
      let excess = blocks * Tables.lanes - count
      for code in 0..<243 {
        var group = Int(counts[code] &+ counts[256 + code] &+ counts[512 + code] &+ counts[768 + code])
        if code == 0 { group -= excess }
        sum += group * group
      }
      return sum
    }
  }
}
