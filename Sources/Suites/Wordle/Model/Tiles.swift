import System

/// The result for one letter of a guess.
enum Tile: Int, CaseIterable, Sendable {
  case absent
  case present
  case correct

  /// The name in JSON.
  var name: String {
    switch self {
    case .absent: "absent"
    case .present: "present"
    case .correct: "correct"
    }
  }
}

/// The tiles of a guess, one per letter.
struct Tiles: Equatable, Sendable {
  private(set) var count: Int
  /// Bit n belongs to letter n, counted from 0. A word has at most 64 letters.
  private var correct: UInt64 = 0
  private var present: UInt64 = 0

  /// Throws (`usage`) if one of them is not a word of 1 to 64 letters, or if their lengths differ.
  init(guess: String, word: String) throws(Failure) {
    if let tiles = Tiles(asciiGuess: Array(guess.utf8).span, word: Array(word.utf8).span) {
      self = tiles
      return
    }
    let guess = try Letters(guess, role: "guess")
    let word = try Letters(word, role: "word")
    guard guess.folded.count == word.folded.count else {
      throw Letters.failure(
        "\(guess.described), \(word.described)", at: Swift.min(guess.folded.count, word.folded.count) + 1)
    }
    self.init(count: guess.folded.count) { guess.folded[$0] == word.folded[$1] }
  }

  /// The fast path for ASCII. Nil for all other words, also invalid ones: the general path reports what is wrong.
  init?(asciiGuess guess: Span<UInt8>, word: Span<UInt8>) {
    guard guess.count == word.count, (1...Letters.most).contains(guess.count) else { return nil }
    func folded(_ byte: UInt8) -> UInt8 { byte | 0x20 }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    for index in guess.indices {
      guard letters.contains(folded(guess[index])), letters.contains(folded(word[index])) else { return nil }
    }
    self.init(count: guess.count) { folded(guess[$0]) == folded(word[$1]) }
  }

  /// The rule, in two passes. First the letters in the right position, each of which uses up its letter of the word;
  /// then, from left to right, each other letter uses up an equal letter that is left, if there is one.
  private init(count: Int, same: (_ inGuess: Int, _ inWord: Int) -> Bool) {
    self.count = count
    for index in 0..<count where same(index, index) {
      correct |= 1 << index
    }
    var used = correct
    for index in 0..<count where correct & 1 << index == 0 {
      for other in 0..<count where used & 1 << other == 0 && same(index, other) {
        present |= 1 << index
        used |= 1 << other
        break
      }
    }
  }
}

extension Tiles {
  /// The tiles of a stored try, which no service validates: a letter beyond the end of the word is in no correct
  /// position, other characters are compared like letters, and characters after the 64th are ignored.
  init(loosely guess: String, word: String) {
    if let tiles = Tiles(asciiGuess: Array(guess.utf8).span, word: Array(word.utf8).span) {
      self = tiles
      return
    }
    let guess = guess.prefix(Letters.most).map(Letters.fold)
    let word = word.prefix(Letters.most).map(Letters.fold)
    self.init(count: Swift.max(guess.count, word.count)) {
      $0 < guess.count && $1 < word.count && guess[$0] == word[$1]
    }
    count = guess.count
  }
}

extension Tiles: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { count }

  subscript(index: Int) -> Tile {
    if correct & 1 << index != 0 { return .correct }
    return present & 1 << index != 0 ? .present : .absent
  }
}
