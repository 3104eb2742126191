import System
import TestSupport
import Testing

@testable import Wordle

/// Words of `length` letters, without repetition.
private func words(_ count: Int, length: Int, from letters: String, _ random: inout SeededGenerator)
  -> [String]
{
  var words: [String] = []
  var known: Set<String> = []
  let alphabet = Array(letters)
  while words.count < count {
    let word = String((0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" })
    if known.insert(word).inserted { words.append(word) }
  }
  return words
}

/// The definition, with the tiles of `hw wordle tiles`.
private func bruteForce(_ guess: String, _ words: [String]) throws -> Int {
  var groups: [[Tile]: Int] = [:]
  for word in words { groups[Array(try Tiles(guess: guess, word: word)), default: 0] += 1 }
  return groups.values.reduce(0) { $0 + $1 * $1 }
}

private func hint(_ clues: [String], _ list: [String], guesses: [String]? = nil) throws -> Hint {
  var alphabet = HintAlphabet()
  let words = try alphabet.list(MemorySource(list.joined(separator: "\n").utf8), name: "words")
  let tried = try guesses.map {
    try alphabet.list(MemorySource($0.joined(separator: "\n").utf8), name: "guesses")
  }
  return try Hint(clues.map { try #require(HintClue($0)) }, words: words, guesses: tried ?? words, &alphabet)
}

@Suite struct Hints {
  @Test(
    "The rating is that of a brute force, whatever the length and the letters",
    arguments: [
      (1, "abcdefghijkl", 12, 12), (3, "abcdef", 100, 60), (5, "etaoinshrdlu", 300, 150), (5, "ab", 32, 32),
      (5, "abcdefghijklmnopqrstuvwxyz", 200, 331), (4, "äéßжщ", 90, 70), (6, "abcd", 60, 40),
      (7, "etaoin", 40, 33), (4, "abcd", 40, 33), (3, "abcdef", 40, 31),
    ])
  func ratings(length: Int, letters: String, guessCount: Int, wordCount: Int) throws {
    var random = SeededGenerator(seed: UInt64(length * 31 + wordCount))
    let all = words(guessCount, length: length, from: letters, &random)
    let list =
      Array(all.shuffled(using: &random).prefix(wordCount))
      + (wordCount > guessCount
        ? words(wordCount - guessCount, length: length, from: "wxyz" + letters, &random) : [])
    let unique = Array(Set(list)).sorted()
    let result = try hint([], unique, guesses: all)
    #expect(result.remaining == unique.count)
    #expect(result.guesses.count == guessCount)
    for guess in result.guesses {
      let sum = try bruteForce(guess.word, unique)
      #expect(guess.expectedParts == (sum * 20_000 + unique.count) / (2 * unique.count), "\(guess.word)")
      #expect(guess.fits == unique.contains(guess.word))
    }
    let expected = try all.sorted { a, b in
      let keys = try [a, b].map { (try bruteForce($0, unique), unique.contains($0) ? 0 : 1) }
      return keys[0] == keys[1] ? a < b : keys[0] < keys[1]
    }
    #expect(result.guesses.map(\.word) == expected)
  }

  /// Many guesses are rated on several threads, each a part; a few on one.
  @Test(arguments: [5, 6]) func manyGuesses(length: Int) throws {
    var random = SeededGenerator(seed: 5)
    let list = words(500, length: length, from: "etaoinsh", &random)
    var alphabet = HintAlphabet()
    let all = try alphabet.list(MemorySource(list.joined(separator: "\n").utf8), name: "words")
    let rater = GuessRater(all)
    let parts = try stride(from: 0, to: all.count, by: 50).flatMap { start in
      try rater.sums(Array(all[start..<start + 50]))
    }
    #expect(try rater.sums(all) == parts)
    for (guess, sum) in zip(list, parts).prefix(3) { #expect(try bruteForce(guess, list) == sum) }
  }

  @Test func guessesAndTheirTilesLeaveTheWordsThatFit() throws {
    let list = ["sweet", "sleet", "sheet", "nymph", "SWEET", "", "corgi"]
    #expect(try hint([], list).remaining == 5)
    #expect(try hint(["corgi=bbbbb"], list).remaining == 4)
    #expect(try hint(["sweet=gbggg"], list).remaining == 2)
    #expect(try hint(["SWEET=🟩⬛🟩🟩🟩", "sleet=gbggg"], list).guesses.first?.word == "sheet")
    #expect(try hint(["nymph=ggggg", "corgi=ggggg"], list).remaining == 0)
    // A letter counts as often as the word has it.
    #expect(try hint(["eerie=yybbb"], ["sweet", "bench", "nymph"]).remaining == 1)
  }

  @Test(arguments: [
    "crane", "crane=", "crane=ggg", "crane=gggggg", "=ggggg", "cr4ne=ggggg", "crane=gxggg", "",
  ])
  func noClue(text: String) {
    #expect(HintClue(text) == nil)
  }

  /// Letters are numbered by bytes.
  @Test func aListHasAtMost256Letters() throws {
    let letters = (0...256).compactMap { Unicode.Scalar(0x4E00 + $0).map(String.init) }
    var alphabet = HintAlphabet()
    let list = letters.prefix(256).joined(separator: "\n")
    #expect(try alphabet.list(MemorySource(list.utf8), name: "l").count == 256)
    #expect(try alphabet.word(letters[0]).letters == [0] && alphabet.word(letters[255]).letters == [255])
    let failure = #expect(throws: Failure.self) { try alphabet.word(letters[256]) }
    #expect(failure == Failure(.usage, "more than 256 different letters"))
  }

  @Test func guessesHaveTheLengthOfTheWords() throws {
    let failure = #expect(throws: Failure.self) {
      try hint([], ["sweet", "lapse"], guesses: ["abc", "def"])
    }
    #expect(failure == Failure(.usage, "the guesses have 3 letters, the words 5"))
    #expect(try hint([], ["sweet", "lapse"], guesses: ["crane"]).guesses.map(\.word) == ["crane"])
  }

  @Test func listsAreChecked() throws {
    func failure(_ text: String) -> Failure? {
      #expect(throws: Failure.self) {
        var alphabet = HintAlphabet()
        _ = try alphabet.list(MemorySource(text.utf8), name: "l")
      }
    }
    #expect(
      failure("sweet\n\nsweets\n")?.message == "'l', line 3: 'sweets' has 6 letters, the words before it 5")
    #expect(failure("sw1et\n")?.message.hasPrefix("'l', line 1: 'sw1et' has '1'") == true)
    #expect(failure("at\nb\n")?.message == "'l', line 2: 'b' has 1 letter, the words before it 2")
    #expect(failure("b\nat\n")?.message == "'l', line 2: 'at' has 2 letters, the words before it 1")
    #expect(failure("\n \n")?.message == "'l' has no words")
    let other = #expect(throws: Failure.self) { try hint(["abc=ggg"], ["sweet"]) }
    #expect(other == Failure(.usage, "'abc' has 3 letters, the words of the list have 5"))
  }

  @Test(
    arguments: [
      ("crane=BYGbb", [.absent, .present, .correct, .absent, .absent]),
      ("crane=⬜🟦🟧⬛️🟨", [.absent, .present, .correct, .absent, .present]),
      ("é=🟩", [.correct]), ("AT=gy", [.correct, .present]),
    ] as [(String, [Tile])])
  func clues(text: String, tiles: [Tile]) {
    #expect(HintClue(text)?.tiles == tiles)
    #expect(HintClue(text)?.guess == text.split(separator: "=").first.map(String.init))
    #expect(HintClue("\(text)=") == nil)
  }

  @Test func asText() {
    let guesses: [Hint.Guess] = [
      .init(word: "sheet", expectedParts: 10_000, fits: true),
      .init(word: "ab", expectedParts: 10_549, fits: false),
      .init(word: "b", expectedParts: 10_900, fits: false),
      .init(word: "abc", expectedParts: 10_950, fits: false),
      .init(word: "a", expectedParts: 123_400, fits: true),
    ]
    #expect(
      HintRow.text?(HintRow(remaining: 1, guesses: guesses), nil) == """
        1 word is left

        sheet  1.00  can be the word
        ab     1.05
        b      1.09
        abc    1.10
        a      12.34  can be the word
        """)
    #expect(HintRow.text?(HintRow(remaining: 2, guesses: []), nil) == "2 words are left\n")
  }
}
