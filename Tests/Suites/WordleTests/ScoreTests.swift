import JSON
import Output
import System
import Testing

@testable import Wordle

/// A game on the day of its number.
func game(_ id: Int, _ word: String, _ tries: String...) -> Score {
  Score(id: id, date: CalendarDay(daysSinceEpoch: 18_797 + id), word: word, tries: tries)
}

@Suite struct Scores {
  @Test(arguments: [
    (["sweet"], "1/6"), (["corgi", "SWEET"], "2/6"), (["sweet", "corgi"], "unfinished"), ([], "unfinished"),
    (Array(repeating: "corgi", count: 5), "unfinished"), (Array(repeating: "corgi", count: 6), "X/6"),
    (Array(repeating: "corgi", count: 5) + ["sweet"], "6/6"),
    (Array(repeating: "corgi", count: 6) + ["sweet"], "X/6"),
  ])
  func gameIsSolvedWhenLastOfAtMostSixTriesIsWord(tries: [String], result: String) {
    let score = Score(id: 1, date: CalendarDay(daysSinceEpoch: 0), word: "sweet", tries: tries)
    #expect(score.result.text == result && score.isUnfinished == (result == "unfinished"))
  }

  @Test(arguments: [
    ("sweets", "sweet", "🟩🟩🟩🟩🟩⬛"), ("sw", "sweet", "🟩🟩"), ("tsweet", "sweet", "🟨🟨🟨🟩🟨⬛"), ("", "sweet", ""),
    ("a b!", "a-b!", "🟩⬛🟩🟩"), ("sweet", "", "⬛⬛⬛⬛⬛"), ("mommy", "nymph", "⬛⬛🟩⬛🟨"),
    // A letter beyond the end of the other word.
    ("xs", "s", "⬛🟨"), ("s", "xs", "🟨"),
    (String(repeating: "a", count: 99), "b", String(repeating: "⬛", count: 64)),
  ])
  func serviceThatChecksNothingLosesNoListEveryTryHasTiles(guess: String, word: String, row: String) {
    let tiles = Tiles(loosely: guess, word: word)
    #expect(TileStyle().row(tiles, guess: guess) == row && tiles.count == row.count)
  }

  @Test(arguments: [
    (game(1, "sweet"), "expected 1 to 6 tries, not 0"),
    (
      game(1, "sweet", "corgi", "corgi", "corgi", "corgi", "corgi", "corgi", "corgi"),
      "expected 1 to 6 tries, not 7"
    ),
    (game(1, "sweet", "corgis"), "'corgis' has 6 letters, the word 'sweet' has 5 letters"),
    (game(1, "sweet", "c0rgi"), "'c0rgi' has '0' at position 2, which is not a letter"),
    (
      game(1, "sweet", "corg\u{131}" + String(repeating: "\u{301}", count: 16)),
      "'corg\u{131}" + String(repeating: "\u{301}", count: 16) + "' has '\u{131}"
        + String(repeating: "\u{301}", count: 16) + "' at position 5, which is not a letter"
    ),
    (game(1, "", "corgi"), "the word is empty"),
    (game(1, "sweet", "sweet", "corgi"), "a try after the word was found, 'corgi'"),
    (game(-1, "sweet", "sweet"), "a number below 0"),
  ])
  func wordlesRules(score: Score, message: String) {
    let failure = #expect(throws: Failure.self) { try ScoreRules.checked(score) }
    #expect(failure?.kind == .usage)
    #expect(failure?.message == "score \(score.id): \(message)")
  }

  /// Letters that were found are used: green ones in their places.
  @Test(
    arguments: [
      (["sleds", "corgi", "sweet"], "'corgi' requires the 's' of 'sleds'"),
      (["tweed", "twice", "sweet"], "'twice' requires the 'e' of 'tweed'"), (["tempo", "sweet"], nil),
      (["sleds", "steel", "sweet"], nil), (["tempo", "clink"], "'clink' requires the 't' of 'tempo'"),
      (["eerie", "their"], "'their' requires the 'e' of 'eerie'"), (["eerie", "ember"], nil),
    ] as [([String], String?)])
  func hardModeUsesWhatWasFound(tries: [String], message: String?) {
    var score = Score(1, "sweet", tries)
    #expect(throws: Never.self) { try ScoreRules.checked(score) }
    score.isHard = true
    let failure = message.map { Failure(.usage, "score 1: in hard mode \($0)", hint: "correct the score") }
    do throws(Failure) {
      _ = try ScoreRules.checked(score)
      #expect(failure == nil)
    } catch {
      #expect(error == failure)
    }
  }

  /// The service validates nothing: such a score is reported, and the others are read.
  @Test(arguments: [
    (#"[]"#, "expected 1 to 6 tries, not 0"), (#"["at","at"]"#, "a try after the word was found, 'at'"),
    (#"["so","so","so","so","so","so","at"]"#, "expected 1 to 6 tries, not 7"),
    (#"["eat","at"]"#, "'eat' and the word 'at' have different lengths"),
  ])
  func sentScoreThatNoGameHasIsInvalid(tries: String, message: String) throws {
    let json = try JSON.parse(#"{"id":1,"date":"2022-03-08","word":"at","tries":\#(tries)}"#)
    let failure = #expect(throws: Failure.self) { try Score(json) }
    #expect(failure?.kind == .invalidData && failure?.message.hasSuffix(", at tries: \(message)") == true)
  }

  @Test func wordsAreTakenInLowerCase() throws {
    #expect(try ScoreRules.checked(game(1, "Sweet", "CORGI", "sweet")) == game(1, "sweet", "corgi", "sweet"))
    #expect(try ScoreRules.checked(game(0, "sweet", "sweet")).id == 0)
    // A lost game is one of Wordle's too.
    #expect(try ScoreRules.checked(game(1, "sweet", "corgi")) == game(1, "sweet", "corgi"))
  }
}

@Suite struct Results {
  @Test(
    arguments: [
      ("0", nil), ("1", .solved(1)), ("6", .solved(6)), ("7", nil), ("X", .failed), ("x", nil), (" ", nil),
    ] as [(Character, GameResult?)])
  func marks(mark: Character, result: GameResult?) throws {
    #expect(GameResult(mark: try #require(mark.asciiValue)) == result)
    if let result { #expect(result.mark == String(mark)) }
  }

  @Test func aLostGameIsTheWorst() {
    let results: [GameResult] = [.failed, .solved(6), .solved(1)]
    #expect(results.sorted() == [.solved(1), .solved(6), .failed])
    #expect(!(GameResult.failed < .failed))
  }

  @Test func theNewerScoreIsThatOfALaterDay() {
    let day = CalendarDay(daysSinceEpoch: 100)
    func score(_ id: Int, _ day: CalendarDay) -> Score { Score(id: id, date: day, word: "a", tries: []) }
    #expect(Score.isNewer(score(2, day), score(1, day)))
    #expect(!Score.isNewer(score(1, day), score(1, day)))
    #expect(Score.isNewer(score(1, CalendarDay(daysSinceEpoch: 101)), score(2, day)))
  }

  /// Hard mode is an extension: it is written where it is on.
  @Test(arguments: [true, false]) func hardModeTravels(isHard: Bool) throws {
    var score = game(1, "sweet", "sweet")
    score.isHard = isHard
    #expect(try Score(JSON.parse(score.json)) == score)
    #expect(score.json.contains("hard") == isHard)
    #expect(SharedGame(score).isHard == isHard)
    #expect(SharedGame(score).text(TileColors()).hasPrefix(isHard ? "Wordle 1 1/6*\n" : "Wordle 1 1/6\n"))
  }
}

/// The rows as `--sort` orders them.
func sorted<R: Row>(_ rows: [R], by order: String) throws -> [R] {
  var settings = Output.Settings()
  settings.list = ListSelection(order: SortOrder(order))
  return try Output(settings, Outlet(MemorySink())).selected(rows)
}

/// A game that was not solved has the largest result.
@Suite struct Selections {
  @Test func theSixthTryIsBetterThanNone() throws {
    let six = [game(2, "b", "a"), game(1, "b", "a", "a", "a", "a", "a", "b"), game(3, "b", "a", "a", "b")]
    #expect(try sorted(six, by: "result").map(\.id) == [3, 1, 2])
    #expect(try sorted(six, by: "-result").map(\.id) == [2, 1, 3])
  }
}
