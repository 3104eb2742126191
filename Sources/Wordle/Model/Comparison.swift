/// One who plays, and how each game ended, by Wordle's number.
struct Player: Equatable, Sendable {
  var name: String
  var results: [Int: GameResult]

  init(_ name: String, _ results: [Int: GameResult]) {
    self.name = name
    self.results = results
  }

  /// A number that stands twice counts as it is given last.
  init(_ name: String, _ games: [some FinishedGame]) {
    self.init(name, Dictionary(games.map { ($0.id, $0.result) }) { $1 })
  }
}

/// Whatever tells how a game ended.
protocol FinishedGame {
  var id: Int { get }
  var result: GameResult { get }
}

extension Score: FinishedGame {}
extension SharedGame: FinishedGame {}
extension PlayedGame: FinishedGame {}

/// Players side by side: game by game, and in all.
struct Comparison: Equatable, Sendable {
  var games: [Game]
  /// In the order of the players.
  var totals: [Total]

  /// One of Wordle's numbers, and what everybody made of it.
  struct Game: Equatable, Sendable {
    var id: Int
    /// In the order of the players; nil for who did not play.
    var results: [GameResult?]

    /// Whose tries are the fewest, where at least two played and somebody found the word.
    var best: [Int] {
      let played = results.compactMap { $0 }
      guard played.count > 1, let best = played.min(), best != .failed else { return [] }
      return results.indices.filter { results[$0] == best }
    }
  }

  struct Total: Equatable, Sendable {
    var name: String
    var played = 0
    /// Games in which nobody else was as good.
    var wins = 0
    /// Games in which the best were several, this one among them.
    var ties = 0
    /// Tries for a game that was solved.
    var mean: Double?
  }

  /// `everything` keeps games that only one played, of which there is nothing to compare.
  enum Scope: Sendable { case shared, everything }

  init(_ players: [Player], _ scope: Scope = .shared) {
    let ids = Set(players.flatMap { $0.results.keys }).sorted(by: >)
    games = ids.map { id in Game(id: id, results: players.map { $0.results[id] }) }
    if scope == .shared { games.removeAll { $0.results.count { $0 != nil } < 2 } }
    totals = []
    total(players.map(\.name))
  }

  /// The same of fewer games.
  func keeping(_ games: [Game]) -> Comparison {
    var kept = self
    kept.games = games
    kept.total(totals.map(\.name))
    return kept
  }

  private mutating func total(_ names: [String]) {
    totals = names.enumerated().map { index, name in
      let own = games.filter { $0.results[index] != nil }
      let statistics = Statistics(own.compactMap { game in game.results[index].map { (game.id, $0) } })
      var total = Total(name: name, played: own.count, mean: statistics.mean)
      for game in own where game.best.contains(index) {
        if game.best.count == 1 { total.wins += 1 } else { total.ties += 1 }
      }
      return total
    }
  }
}
