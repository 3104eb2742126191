import System

/// Sample games, equal for equal seeds. Most guesses are words that are still possible.
struct SampleScores {
  private let seed: UInt64
  private var random: SplitMix64

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  /// The scores, newest first: the three initial ones, a Wordle 281 that was really shared, and the month around it.
  var scores: [Score] {
    var sample = self
    let later = (265...300).compactMap { id -> Score? in
      if id == 281 { return Score(id, "nymph", ["train", "ponds", "blume", "nymph"]) }
      let word = sample.pick(SampleScores.words)
      let tries = sample.play(word)
      return sample.random.fraction() < 0.08 ? nil : Score(id, word, tries)
    }
    return later.reversed() + Score.initial
  }

  func results(of player: Int, in scores: [Score]) -> [SharedGame] {
    var sample = SampleScores(seed: seed &+ UInt64(player))
    return scores.compactMap { score in
      let tries = sample.play(score.word)
      guard sample.random.fraction() < 0.7 else { return nil }
      return SharedGame(Score(id: score.id, date: score.date, word: score.word, tries: tries))
    }
  }

  private mutating func pick(_ words: [String]) -> String { words[random.next(below: words.count)] }

  private mutating func play(_ word: String) -> [String] {
    var tries: [String] = []
    var left = SampleScores.words
    while tries.count < Score.mostTries, tries.last != word {
      let guess = random.fraction() < 0.35 ? pick(SampleScores.words) : pick(left)
      tries.append(guess)
      let tiles = Tiles(loosely: guess, word: word)
      left = left.filter { Tiles(loosely: guess, word: $0) == tiles }
    }
    return tries
  }

  private static let words = """
    about acorn apple beach blame bread brick candy chair cloud crane dance dream eagle earth fable flame fruit \
    ghost glass grape heart horse house juice knife lapse lemon light mango maple month music night nymph ocean \
    olive paint peony piano plant pouch queen quiet radio river robin salad shore sleep smile spice stair steam \
    stone storm sugar sweet table tiger toast train tuned umbra vivid water whale wheat youth zebra
    """.split(separator: " ").map(String.init)
}
