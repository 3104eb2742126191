import System

/// A season that never was: every team plays 82 games, the best eight of each conference play off. The same seed and
/// year make the same season.
struct InventedSeason: Sendable {
  let year: Int
  let seed: UInt64
  /// How strong each team is, 0 to 4.
  private let strengths: [Int]

  init(_ year: Int, seed: UInt64) {
    self.year = year
    var random = SplitMix64(seed: seed &* 1_000_003 &+ UInt64(clamping: year))
    self.seed = random.next()
    strengths = League.current.indices.map { _ in random.next(below: 5) }
  }

  /// How much stronger the team at home is.
  func edge(_ game: InventedGame) -> Int { strengths[game.home] - strengths[game.visitor] }

  /// Every game, by id, as it will have been in the end.
  func games() -> [InventedGame] {
    let regular = regularGames()
    return (regular + playOffs(after: regular)).sorted { $0.id < $1.id }
  }

  private static let rounds = 82

  /// Twice 29 rounds in which everybody meets everybody, and 24 of a third time; a round takes two days.
  private func regularGames() -> [InventedGame] {
    let teams = League.current.count
    var random = SplitMix64(seed: seed)
    // A team drawn later takes the place of an earlier one: a plain shuffle.
    var order = Array(0..<teams)
    for place in order.indices.reversed() { order.swapAt(place, random.next(below: place + 1)) }
    let opening = CalendarDay(year: year, month: 10, day: 22)?.daysSinceEpoch ?? 0

    var games: [InventedGame] = []
    var atHome = order.map { _ in 0 }
    for round in 0..<InventedSeason.rounds {
      for pair in 0..<teams / 2 {
        // The circle method: one place stays, the others move on by one each round.
        let a = pair == 0 ? teams - 1 : (round + pair) % (teams - 1)
        let b = (round + teams - 1 - pair) % (teams - 1)
        // Who was at home less often so far is now.
        let isTurned = (atHome[a], round % 2) > (atHome[b], 0)
        let (home, visitor) = isTurned ? (order[b], order[a]) : (order[a], order[b])
        atHome[isTurned ? b : a] += 1
        let number = games.count
        games.append(
          game(
            number: number, of: InventedSeason.rounds * teams / 2, home, visitor,
            day: opening + round * 2 + pair % 2, isPostseason: false,
            isPostponed: random.next(below: 200) == 0))
      }
    }
    return games
  }

  /// By numbers that have nothing to do with the days, as the service has them.
  private func game(
    number: Int, of count: Int, _ home: Int, _ visitor: Int, day: Int, isPostseason: Bool, isPostponed: Bool
  ) -> InventedGame {
    // 769 is prime and divides no count there is: every number comes once.
    let place = isPostseason ? count + number : number * 769 % count
    let pacific = ["Pacific", "Northwest"].contains(League.current[home].division)
    return InventedGame(
      id: (year - 1900) * 100_000 + place + 1, season: year, home: home, visitor: visitor, day: day,
      minute: (pacific ? 1560 : 1410) + number % 3 * 30, isPostseason: isPostseason, isPostponed: isPostponed,
      seed: seed)
  }

  /// Four rounds, best of seven. East plays West in the last.
  private func playOffs(after regular: [InventedGame]) -> [InventedGame] {
    var wins = League.current.map { _ in 0 }
    for game in regular where !game.isPostponed {
      wins[game.course(edge: edge(game)).homeWins ? game.home : game.visitor] += 1
    }
    func seeded(_ conference: String) -> [Int] {
      let teams = League.current.indices.filter { League.current[$0].conference == conference }
      return Array(teams.sorted { (wins[$0], $1) > (wins[$1], $0) }.prefix(8))
    }
    var day = (CalendarDay(year: year + 1, month: 4, day: 19)?.daysSinceEpoch ?? 0)
    var games: [InventedGame] = []
    var left = [seeded("East"), seeded("West")]
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

  /// The winner. The stronger is at home in games 1, 2, 5 and 7.
  private func play(
    _ stronger: Int, _ weaker: Int, from day: Int, _ games: inout [InventedGame], _ count: Int
  ) -> Int {
    var won = [0, 0]
    while won.allSatisfy({ $0 < 4 }) {
      let number = won[0] + won[1]
      let isHome = [0, 1, 4, 6].contains(number)
      let next = game(
        number: games.count, of: count, isHome ? stronger : weaker, isHome ? weaker : stronger,
        day: day + number * 2, isPostseason: true, isPostponed: false)
      games.append(next)
      won[next.course(edge: edge(next)).homeWins == isHome ? 0 : 1] += 1
    }
    return won[0] == 4 ? stronger : weaker
  }
}
