import System

/// A generated season of 82 games per team, and playoffs. Equal seeds and years give equal seasons.
struct SampleSeason: Sendable {
  let year: Int
  let seed: UInt64
  private let strengths: [Int]

  init(_ year: Int, seed: UInt64) {
    self.year = year
    var random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(clamping: year))
    self.seed = random.next()
    strengths = League.current.indices.map { _ in random.next(below: 5) }
  }

  func games() -> [SampleGame] {
    let regular = regularGames()
    return (regular + playoffGames(after: regular)).sorted { $0.id < $1.id }
  }

  private static let rounds = 82

  /// Plays two full round robins of 29 rounds and 24 rounds of a third. A round takes two days.
  private func regularGames() -> [SampleGame] {
    let teams = League.current.count
    var random = SplitMix64(seed: seed)
    // A Fisher-Yates shuffle: `shuffle()` may differ between versions of Swift.
    var order = Array(0..<teams)
    for place in order.indices.reversed() { order.swapAt(place, random.next(below: place + 1)) }
    guard let opening = CalendarDay(year: year, month: 10, day: 22)?.daysSinceEpoch else { return [] }

    var games: [SampleGame] = []
    var atHome = order.map { _ in 0 }
    for round in 0..<SampleSeason.rounds {
      for pair in 0..<teams / 2 {
        // The circle method: one position is fixed, the others rotate by one each round.
        let a = pair == 0 ? teams - 1 : (round + pair) % (teams - 1)
        let b = (round + teams - 1 - pair) % (teams - 1)
        // The team with fewer home games so far is at home. With equal numbers, it alternates by round.
        let isTurned = (atHome[a], round % 2) > (atHome[b], 0)
        let (home, visitor) = isTurned ? (order[b], order[a]) : (order[a], order[b])
        atHome[isTurned ? b : a] += 1
        let number = games.count
        games.append(
          game(
            number: number, of: SampleSeason.rounds * teams / 2, home, visitor,
            day: opening + round * 2 + pair % 2, isPostseason: false,
            isPostponed: random.next(below: 200) == 0))
      }
    }
    return games
  }

  /// Ids are independent of the days, as in the service.
  private func game(
    number: Int, of count: Int, _ home: Int, _ visitor: Int, day: Int, isPostseason: Bool, isPostponed: Bool
  ) -> SampleGame {
    // 769 is prime and does not divide the number of games, so every id occurs once.
    let place = isPostseason ? count + number : number * 769 % count
    let pacific = ["Pacific", "Northwest"].contains(League.current[home].division)
    return SampleGame(
      id: (year - 1900) * 100_000 + place + 1, season: year, home: home, visitor: visitor, day: day,
      minute: (pacific ? 1560 : 1410) + number % 3 * 30, isPostseason: isPostseason, isPostponed: isPostponed,
      homeAdvantage: strengths[home] - strengths[visitor], seed: seed)
  }

  /// Four rounds, best of seven. East plays West in the last round.
  private func playoffGames(after regular: [SampleGame]) -> [SampleGame] {
    var wins = League.current.map { _ in 0 }
    for game in regular where !game.isPostponed {
      wins[game.points().homeWins ? game.home : game.visitor] += 1
    }
    func firstEight(_ conference: String) -> [Int] {
      let teams = League.current.indices.filter { League.current[$0].conference == conference }
      return Array(teams.sorted { (wins[$0], $1) > (wins[$1], $0) }.prefix(8))
    }
    guard var day = CalendarDay(year: year + 1, month: 4, day: 19)?.daysSinceEpoch else { return [] }
    var games: [SampleGame] = []
    var left = [firstEight("East"), firstEight("West")]
    while left[0].count > 1 {
      left = left.map { teams in
        (0..<teams.count / 2).map {
          play(teams[$0], teams[teams.count - 1 - $0], from: day, &games, regular.count)
        }
      }
      day += 14
    }
    _ = play(left[0][0], left[1][0], from: day, &games, regular.count)
    return games
  }

  /// Returns the winner. The stronger team is at home in games 1, 2, 5 and 7.
  private func play(
    _ stronger: Int, _ weaker: Int, from day: Int, _ games: inout [SampleGame], _ regularCount: Int
  ) -> Int {
    var won = [0, 0]
    while won.allSatisfy({ $0 < 4 }) {
      let number = won[0] + won[1]
      let isHome = [0, 1, 4, 6].contains(number)
      let next = game(
        number: games.count, of: regularCount, isHome ? stronger : weaker, isHome ? weaker : stronger,
        day: day + number * 2, isPostseason: true, isPostponed: false)
      games.append(next)
      won[next.points().homeWins == isHome ? 0 : 1] += 1
    }
    return won[0] == 4 ? stronger : weaker
  }
}
