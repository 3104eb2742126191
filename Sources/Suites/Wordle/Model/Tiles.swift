import System

enum Tile: Int, CaseIterable, Sendable {
  case absent
  case present
  case correct

  var name: String {
    switch self {
    case .absent: "absent"
    case .present: "present"
    case .correct: "correct"
    }
  }
}

struct Tiles: Equatable, Sendable {
  private(set) var count: Int
  /// Bit n is letter n, counted from 0. A word has at most 64 letters.
  private var correct: UInt64 = 0
  private var present: UInt64 = 0

  /// Throws (`usage`) unless both are words of 1 to 64 letters with equal lengths.
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

  /// The fast path for ASCII. Returns nil for other words, valid or not: the general path reports errors.
  init?(asciiGuess guess: Span<UInt8>, word: Span<UInt8>) {
    guard guess.count == word.count, (1...Letters.most).contains(guess.count) else { return nil }
    func folded(_ byte: UInt8) -> UInt8 { byte | 0x20 }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    for index in guess.indices {
      guard letters.contains(folded(guess[index])), letters.contains(folded(word[index])) else { return nil }
    }
    self.init(count: guess.count) { folded(guess[$0]) == folded(word[$1]) }
  }

  /// Applies the rule in two passes. Letters in the right position use up their letter of the word first; then, from
  /// left to right, each other letter uses up an equal letter that is left.
  private init(count: Int, same: (_ inGuess: Int, _ inWord: Int) -> Bool) {
    self.count = count
    for index in 0..<count where same(index, index) { correct |= 1 << index }
    var used = correct
    for index in 0..<count where correct & 1 << index == 0 {
      for other in 0..<count where used & 1 << other == 0 && same(index, other) {
        present |= 1 << index
        used |= 1 << other
        break
      }
    }
  }

  /// The tiles of a stored try, which services do not validate: letters beyond the end of the word are in no correct
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
