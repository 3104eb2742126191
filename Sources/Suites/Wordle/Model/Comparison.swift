struct Comparison: Equatable, Sendable {
  var games: [Game]
  var totals: [Total]

  struct Game: Equatable, Sendable {
    var id: Int
    /// Results in the order of the players; nil for a player without this game.
    var results: [GameResult?]

    /// The players with the fewest tries. Empty if fewer than two played, or none solved the game.
    var best: [Int] {
      let played = results.compactMap { $0 }
      guard played.count > 1, let best = played.min(), best.tries != nil else { return [] }
      return results.indices.filter { results[$0] == best }
    }
  }

  struct Total: Equatable, Sendable {
    var name: String
    var played: Int
    /// Games in which this player alone had the best result.
    var wins = 0
    /// Games in which several players had the best result.
    var ties = 0
    /// Mean number of tries. A lost game counts seven.
    var mean: Double?
  }

  /// Compares the games that at least two players have played.
  init(_ players: [PlayerResults]) {
    let ids = Set(players.flatMap { $0.results.keys }).sorted(by: >)
    games = ids.map { id in Game(id: id, results: players.map { $0.results[id] }) }
    games.removeAll { $0.results.count { $0 != nil } < 2 }
    totals = []
    countTotals(of: players.map(\.name))
  }

  func keeping(_ games: some Collection<Game>) -> Comparison {
    var kept = self
    kept.games = Array(games)
    kept.countTotals(of: totals.map(\.name))
    return kept
  }

  private mutating func countTotals(of names: [String]) {
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
