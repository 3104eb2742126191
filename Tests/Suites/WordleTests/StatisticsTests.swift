import JSON
import Output
import System
import TestSupport
import Testing

@testable import Wordle

@Suite struct StatisticsOfGames {
  private func statistics(_ games: (Int, Int?)...) -> Statistics {
    Statistics(games.map { (id: $0.0, result: $0.1.map(GameResult.solved) ?? .failed) })
  }

  @Test func figures() {
    let some = statistics((7, 3), (5, 4), (6, nil), (1, 3))
    #expect((some.played, some.solved, some.failed, some.solvedPercent) == (4, 3, 1, 75))
    // Three, four and three tries, and seven for the lost game.
    #expect(some.mean == 4.25)
    #expect(some.distribution == [0, 0, 2, 1, 0, 0])
    #expect(some.newest == .solved(3))
  }

  /// An unfinished game is neither lost nor played. As a day without a game, it is no part of a streak.
  @Test(arguments: [
    ([(1, 3), (2, 3), (3, 0)], 2, 2), ([(1, 3), (2, 0), (3, 3)], 2, 1), ([(2, 0), (3, 3)], 1, 1),
    ([(1, 3), (3, 0), (4, 3)], 2, 1), ([(1, 0)], 0, 0), ([(.min, 0), (1, 3)], 1, 1), ([(.max, 0)], 0, 0),
  ])
  func unfinishedGameDoesNotCount(games: [(Int, Int)], played: Int, streak: Int) throws {
    let some = Statistics(games.map { (id: $0.0, result: $0.1 == 0 ? .unfinished : .solved($0.1)) })
    #expect(
      (some.played, some.failed, some.currentStreak, some.longestStreak) == (
        played, 0, streak, max(streak, min(played, 1))
      ))
    #expect(try Statistics(JSON.parse(some.json)) == some)
  }

  @Test func ofTwoResultsOfAGameTheLastCounts() {
    let some = statistics((2, 3), (1, 3), (1, 4))
    #expect(some.played == 2 && some.distribution == [0, 0, 1, 1, 0, 0])
    #expect(statistics((1, 3), (1, nil), (2, 3)).solved == 1)
  }

  @Test func numbersOfTriesThatNoGameHas() {
    let some = statistics((1, 0), (2, 7))
    #expect(some.solved == 2 && some.distribution == [0, 0, 0, 0, 0, 0])
  }

  @Test(arguments: [
    ([1, 2, 3], [], 3, 3), ([1, 2, 4], [], 1, 2), ([1, 2, 3], [4], 0, 3), ([1, 2, 4, 5, 6], [3], 3, 3),
    ([], [9], 0, 0), ([3, 1, 2], [], 3, 3),
  ])
  func streaksGoByWordlesNumbersDayWithoutGameEndsOneAsLostGameDoes(
    solved: [Int], failed: [Int], current: Int, longest: Int
  ) {
    let games =
      solved.map { (id: $0, result: GameResult.solved(3)) } + failed.map { (id: $0, result: .failed) }
    let statistics = Statistics(games)
    #expect((statistics.currentStreak, statistics.longestStreak) == (current, longest))
  }

  @Test(
    arguments: [(3, 3), (4, 3), (5, 0), (500, 0), (2, 3), (1, 0)])
  func streakIsCurrentIfItIncludesTodaysOrYesterdaysGame(today: Int, streak: Int) throws {
    let all = statistics((1, 3), (2, 3), (3, 4))
    #expect(all.asOf(today).currentStreak == streak)
    #expect(all.asOf(today).longestStreak == 3)
    #expect(try Statistics(JSON.parse(all.json)).asOf(today).currentStreak == streak)
  }

  @Test func gameOfTheFutureIsInNoStreak() {
    let games = [1, 2, 3, 900].map { (id: $0, result: GameResult.solved(3)) }
    let statistics = Statistics(games, upTo: 4).asOf(3)
    #expect((statistics.played, statistics.currentStreak, statistics.longestStreak) == (4, 3, 3))
    #expect(statistics.newestGame == 3)
  }

  @Test func travelAsJSON() throws {
    for some in [statistics(), statistics((7, 3), (5, 4), (6, nil), (1, 6)), statistics((1, 2), (2, nil))] {
      #expect(try Statistics(JSON.parse(some.json)) == some)
    }
    let failure = #expect(throws: Failure.self) { try Statistics(JSON.parse(#"{"played":1}"#)) }
    #expect(failure?.kind == .invalidData)
  }

  @Test(arguments: [
    (#""played":4"#, #""played":-1"#, "played: expected 0 or more, found -1"),
    (#""played":4"#, #""played":2"#, "solved: expected 0 to 2, found 3"),
    (#""solved":3"#, #""solved":9223372036854775807"#, "solved"),
    (#""solved":3"#, #""solved":-9223372036854775808"#, "solved"),
    (#""solved":3"#, #""solved":2"#, "distribution[3]: expected 0 to 0, found 1"),
    (#""solved":3"#, #""solved":4"#, "distribution: expected 4 solved games, found 3"),
    (#""currentStreak":2"#, #""currentStreak":3"#, "currentStreak"),
    (#""currentStreak":2"#, #""currentStreak":-1"#, "currentStreak"),
    (#""currentStreak":2"#, #""currentStreak":0"#, "newest"),
    (#""longestStreak":2"#, #""longestStreak":4"#, "longestStreak"),
    ("[0,0,2,1,0,0]", "[0,0,9223372036854775807,1,0,0]", "distribution"),
    ("[0,0,2,1,0,0]", "[0,0,3,1,-1,0]", "distribution"),
    ("[0,0,2,1,0,0]", "[-9223372036854775808,0,2,1,0,9223372036854775807]", "distribution"),
    (#""newest":3"#, #""newest":-9223372036854775808"#, "newest"), (#""newest":3"#, #""newest":7"#, "newest"),
    (#""newest":3"#, #""newest":2"#, "newest"), (#""newest":3"#, #""newest":null"#, "newest"),
  ])
  func statisticsThatNoGamesAddUpToAreInvalidData(part: String, replacement: String, path: String) throws {
    let text = statistics((8, 3), (7, 3), (5, 4), (6, nil)).json
    #expect(text.contains(part))
    let failure = #expect(throws: Failure.self) {
      try Statistics(JSON.parse(text.replacing(part, with: replacement)))
    }
    #expect(failure?.kind == .invalidData)
    #expect(failure?.message.contains(path) == true, "\(failure?.message ?? "")")
  }

  @Test func newestResultIsRequiredWhereEveryGameWasSolved() {
    let text =
      #"{"played":1,"solved":1,"longestStreak":1,"currentStreak":0,"distribution":[1,0,0,0,0,0],"newest":null}"#
    let failure = #expect(throws: Failure.self) { try Statistics(JSON.parse(text)) }
    #expect(failure?.message.hasSuffix(", at newest: expected the result of one of the games") == true)
  }

  /// No game contradicts them, so they are shown.
  @Test func hugeCountsAreNotMultiplied() throws {
    let most = Int.max
    let some = try Statistics(
      JSON.parse(
        #"{"played":\#(most),"solved":\#(most),"currentStreak":\#(most),"longestStreak":\#(most),"distribution":[0,0,0,0,0,\#(most)],"newest":6}"#
      ))
    #expect(some.mean == 6)
    #expect(some.solvedPercent == 100)
    #expect(Statistics.text?(some, nil).contains("mean tries 6.00") == true)
  }
}

@Suite struct FiguresAsText {
  @Test(arguments: [
    (26, ["played 0", "current streak 0", "longest streak 0"]),
    (27, ["played 0   current streak 0", "longest streak 0"]),
    (45, ["played 0   current streak 0", "longest streak 0"]),
    (46, ["played 0   current streak 0   longest streak 0"]),
  ])
  func figuresAreSideBySideWhereThereIsRoom(width: Int, lines: [String]) throws {
    let row = Statistics([])
    let text = try #require(Statistics.text?(row, Screen(width: width, color: false)))
    #expect(text.hasPrefix((lines + ["", "Guess distribution", "1 "]).joined(separator: "\n")), "\(text)")
  }

  @Test(arguments: [1, 3, 6, nil] as [Int?])
  func theBarOfTheNewestGameIsGreen(tries: Int?) throws {
    let newest = tries.map(GameResult.solved) ?? .failed
    let row = Statistics([(id: 1, result: newest), (id: 0, result: .failed)])
    let text = try #require(Statistics.text?(row, Screen(width: 30, color: true)))
    let green = text.split(separator: "\n").filter { $0.contains("\u{1B}") }
    #expect(green.count == 1 && green[0].hasPrefix("\u{1B}[1;32m\(newest.mark) "), "\(text)")
    #expect(Statistics.text?(row, nil).contains("\u{1B}") == false)
  }

  @Test(
    arguments: [
      (nil, "-"), (3, "3.00"), (3.05, "3.05"), (3.09, "3.09"), (3.1, "3.10"), (2.67, "2.67"),
    ] as [(Double?, String)]
  )
  func means(mean: Double?, text: String) {
    #expect(Statistics.shown(mean) == text)
  }
}

@Suite struct Comparisons {
  private let players = [
    PlayerResults("you", [1: .solved(3), 2: .solved(4), 3: .failed, 4: .solved(1), 5: .failed]),
    PlayerResults("Ann", [1: .solved(2), 2: .solved(4), 3: .solved(6), 5: .failed]),
    PlayerResults("Ben", [1: .solved(3), 9: .solved(1)]),
  ]

  @Test func totalsAreThoseOfTheGamesThatAreKept() {
    #expect(Comparison(players).keeping(Comparison(players).games.suffix(1)).totals.map(\.wins) == [0, 1, 0])
  }

  @Test func matrix() {
    let text = Comparison.text?(Comparison(players), nil)
    #expect(
      text == """
        Wordle   you    Ann    Ben
             5   X/6    X/6     -
             3   X/6   [6/6]    -
             2  [4/6]  [4/6]    -
             1   3/6   [2/6]   3/6

          wins     0      2      0
          ties     1      1      0
        played     4      4      1
          mean  5.25   4.75   3.00
        """)
  }

  /// A name has at most sixteen columns.
  @Test func longNamesAreCut() {
    let players = ["ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPQ"].map { PlayerResults($0) }
    let text = Comparison.text?(Comparison(players), nil) ?? ""
    #expect(text.hasPrefix("Wordle  ABCDEFGHIJKLMNOP   ABCDEFGHIJKLMNO…\n"), "\(text)")
  }

  /// By the fewest tries; a game that nobody solved is the last.
  @Test func areSortedByTheBestResult() throws {
    let games =
      [
        (1, [.failed, nil]), (2, [.solved(6), .failed]), (3, [.solved(3), .solved(3)]),
        (4, [.solved(5), .solved(2)]),
      ] as [(Int, [GameResult?])]
    let rows = games.map { ComparedGame(game: .init(id: $0.0, results: $0.1), names: ["you", "Ann"]) }
    #expect(try sorted(rows, by: "best").map(\.game.id) == [4, 3, 2, 1])
    #expect(try sorted(rows, by: "-best").map(\.game.id) == [1, 2, 3, 4])
  }
}

@Suite struct PlayersAndPeriods {
  private func day(_ game: Int) -> CalendarDay { CalendarDay(daysSinceEpoch: 18_797 + game) }

  @Test func anotherSourceAddsGames() {
    var own = PlayerResults("you", [1: .solved(2), 2: .failed])
    own.hardGames = [1]
    var other = PlayerResults("You", [2: .solved(3), 3: .solved(4)])
    other.hardGames = [3]
    let both = own.adding(other)
    #expect(both.name == "you" && both.hardGames == [1, 3])
    #expect(both.results == [1: .solved(2), 2: .failed, 3: .solved(4)])
    #expect(own.adding(nil) == own)
    let part = both.playing(in: Period(since: day(2), until: day(3)))
    #expect(part.results == [2: .failed, 3: .solved(4)] && part.hardGames == [3])
    #expect(both.playing(in: Period()) == both)
    let reports = RecordedMessages()
    let players = Wordle.withAccount(own, [PlayerResults("Ann", [1: .failed]), other], report: reports.add)
    #expect(players.map(\.name) == ["you", "Ann"] && players[0] == both)
    #expect(reports.lines == ["Wordle 2 is X/6 of the account and 3/6 imported: the account counts"])
  }

  @Test func ofTwoResultsOfAGameTheLastIsThePlayers() {
    let games = [game(1, "at", "to"), game(1, "at", "at")]
    #expect(PlayerResults("Ann", games).results == [1: .solved(1)])
    let hard = [(2, "at"), (3, "to")].map { id, guess in
      Score(id: id, date: games[0].date, word: "at", tries: [guess], isHard: true)
    }
    #expect(PlayerResults("Ann", games + hard).hardGames == [2])
  }

  @Test func hardGamesAreThoseOfThePeriod() {
    var ann = PlayerResults("Ann", [1: .solved(2), 9: .solved(3), 10: .failed])
    ann.hardGames = [1, 9, 10]
    #expect(PlayerRanking([ann], .mean, in: Period(since: day(9)), today: 10).places.map(\.hard) == [2])
    #expect(PlayerRanking([ann], .mean, in: Period(), today: 10).places.map(\.hard) == [3])
  }

  @Test(arguments: [(93, false), (94, true), (100, true), (101, false)])
  func bothEndsOfAPeriodBelongToIt(game: Int, isIncluded: Bool) {
    let period = Period(since: day(94), until: day(100))
    #expect(period.contains(game: game) == isIncluded)
    #expect(period.contains(day(game)) == isIncluded)
    #expect(Period(since: day(94)).contains(game: game) == (game >= 94))
    #expect(Period(until: day(100)).contains(game: game) == (game <= 100))
    #expect(Period().isEverything && Period().contains(game: -1) && Period().contains(day(-1)))
    #expect(!Period(since: day(1)).isEverything && !Period(until: day(1)).isEverything)
  }

  @Test func withoutGamesThereAreTotals() {
    #expect(
      Comparison.text?(Comparison([PlayerResults("you")]), nil)
        == "Wordle  you\n  wins    0\n  ties    0\nplayed    0\n  mean    -")
  }
}

@Suite struct Rankings {
  private let players = [
    PlayerResults("you", [1: .solved(3), 2: .solved(4), 98: .solved(2), 99: .solved(2)]),
    PlayerResults("Ann", [1: .solved(2), 99: .failed, 100: .solved(4)]),
    PlayerResults("Ben", [70: .solved(6), 71: .solved(6), 72: .solved(6)]), PlayerResults("Zoe"),
  ]
  /// The day of game 100.
  private let today = CalendarDay(daysSinceEpoch: 18_897)

  /// The last seven days.
  private var week: Period {
    Period(since: CalendarDay(daysSinceEpoch: today.daysSinceEpoch - 6), until: today)
  }

  @Test(
    arguments: [
      (.mean, ["1 you", "2 Ann", "3 Ben"]), (.wins, ["1 you", "2 Ann", "3 Ben"]),
      (.solved, ["1 you", "2 Ben", "3 Ann"]), (.streak, ["1 you", "2 Ann", "3 Ben"]),
    ] as [(PlayerRanking.Order, [String])])
  func orders(order: PlayerRanking.Order, expected: [String]) {
    let places = PlayerRanking(players, order, in: Period(), today: today.wordle).places
    #expect(places.map { "\($0.rank) \($0.name)" } == expected)
  }

  @Test func playerWithoutGamesInThePeriodIsLeftOut() {
    let places = PlayerRanking(players, .mean, in: week, today: today.wordle).places
    #expect(places.map { "\($0.rank) \($0.name)" } == ["1 you", "2 Ann"])
  }

  @Test func streaksAreCurrentAndOfAllGames() {
    let places = PlayerRanking(players, .streak, in: week, today: 100).places
    #expect(places.map(\.streak) == [2, 1])
    #expect(PlayerRanking(players, .streak, in: Period(), today: 102).places.map(\.streak) == [0, 0, 0])
  }

  @Test func equalPlayersHaveOneRank() {
    let twins = [
      PlayerResults("B", [1: .solved(3)]), PlayerResults("A", [2: .solved(3)]),
      PlayerResults("C", [2: .solved(4)]),
    ]
    let places = PlayerRanking(twins, .mean, in: Period(), today: 2).places
    #expect(places.map { "\($0.rank) \($0.name)" } == ["1 A", "1 B", "3 C"])
  }

  @Test(arguments: [.streak, .wins] as [PlayerRanking.Order])
  func playersOfEqualValueAreRankedByMean(order: PlayerRanking.Order) {
    let equal = [
      PlayerResults("A", [1: .solved(2), 3: .solved(2)]), PlayerResults("B", [3: .solved(1)]),
      PlayerResults("C", [3: .solved(1)]),
    ]
    let places = PlayerRanking(equal, order, in: Period(), today: 3).places
    #expect(places.map { "\($0.rank) \($0.name)" } == ["1 B", "1 C", "3 A"])
  }
}
