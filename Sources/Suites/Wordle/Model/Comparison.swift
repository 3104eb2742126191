struct PlayerResults: Equatable, Sendable {
  var name: String
  var results: [Int: GameResult]
  var hardGames: Set<Int> = []
  /// Accounts whose games were imported.
  var accounts: Set<String> = []

  init(_ name: String, _ results: [Int: GameResult] = [:]) {
    self.name = name
    self.results = results
  }

  /// Player with finished games.
  init(_ name: String, _ scores: [Score]) {
    let finished = scores.filter { !$0.isUnfinished }
    self.init(name, Dictionary(finished.map { ($0.id, $0.result) }) { $1 })
    hardGames = Set(finished.lazy.filter(\.isHard).map(\.id))
  }

  /// Adds the games of another source. Of two results this one counts; hard mode counts from either source.
  func adding(_ other: PlayerResults?) -> PlayerResults {
    guard let other else { return self }
    var player = self
    player.results.merge(other.results) { own, _ in own }
    player.hardGames.formUnion(other.hardGames)
    return player
  }

  func playing(in period: Period) -> PlayerResults {
    var player = self
    player.results = results.filter { period.contains(game: $0.key) }
    player.hardGames = hardGames.filter { period.contains(game: $0) }
    return player
  }

  var statistics: Statistics { Statistics(results.map { (id: $0.key, result: $0.value) }) }
}

enum PlayerName {
  /// Names in chats are shorter.
  static let longest = 256

  /// Names that differ in case alone, or in the presentation of an emoji, are one player.
  static func key(_ name: String) -> String {
    String(trimmed(name).unicodeScalars.filter { !$0.properties.isVariationSelector }).map(Letters.fold)
      .joined()
  }

  static func trimmed(_ name: String) -> String {
    var name = name.drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }
}

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
    total(players.map(\.name))
  }

  func keeping(_ games: some Collection<Game>) -> Comparison {
    var kept = self
    kept.games = Array(games)
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
