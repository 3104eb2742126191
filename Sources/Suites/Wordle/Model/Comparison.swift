/// A player and the result of each game, by its number.
struct PlayerResults: Equatable, Sendable {
  var name: String
  var results: [Int: GameResult]
  /// The games that were played in hard mode.
  var hardGames: Set<Int> = []

  init(_ name: String, _ results: [Int: GameResult]) {
    self.name = name
    self.results = results
  }

  /// If a number occurs twice, the last result counts.
  init(_ name: String, _ games: [some FinishedGame]) {
    self.init(name, Dictionary(games.map { ($0.id, $0.result) }) { $1 })
  }
}

extension PlayerResults {
  /// Adds the games of another source. If both have a finished game, this result counts, and the game is in hard mode if
  /// either source says so.
  func adding(_ other: PlayerResults?) -> PlayerResults {
    guard let other else { return self }
    var player = self
    player.results.merge(other.results) { $0 == .unfinished ? $1 : $0 }
    player.hardGames.formUnion(other.hardGames)
    return player
  }

  /// Keeps only the games of a period.
  func playing(in period: Period) -> PlayerResults {
    var player = self
    player.results = results.filter { period.contains(game: $0.key) }
    player.hardGames = hardGames.filter { period.contains(game: $0) }
    return player
  }

  var statistics: Statistics { Statistics(results.map { (id: $0.key, result: $0.value) }) }
}

/// Names of players, which differ in more than case.
enum PlayerName {
  /// The names of chats have fewer characters.
  static let longest = 256

  /// Equal for names of the same player.
  static func key(_ name: String) -> String { trimmed(name).lowercased() }

  static func trimmed(_ name: String) -> String {
    var name = name.drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }
}

/// A game with a number and a result.
protocol FinishedGame {
  var id: Int { get }
  var result: GameResult { get }
}

extension Score: FinishedGame {}
extension SharedGame: FinishedGame {}

/// Players compared game by game, and their totals.
struct Comparison: Equatable, Sendable {
  var games: [Game]
  /// In the order of the players.
  var totals: [Total]

  /// A game and the result of each player.
  struct Game: Equatable, Sendable {
    var id: Int
    /// In the order of the players; nil for a player without this game.
    var results: [GameResult?]

    /// The players with the fewest tries. Empty if fewer than two played or none found the word.
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
    /// Games in which this player and others had the best result.
    var ties = 0
    /// Mean number of tries; a lost game has seven.
    var mean: Double?
  }

  /// The games that several of the players have played.
  init(_ players: [PlayerResults]) {
    let ids = Set(players.flatMap { $0.results.keys }).sorted(by: >)
    games = ids.map { id in
      Game(
        id: id, results: players.map { player in player.results[id].flatMap { $0 == .unfinished ? nil : $0 } }
      )
    }
    games.removeAll { $0.results.count { $0 != nil } < 2 }
    totals = []
    total(players.map(\.name))
  }

  /// Returns a comparison of only these games, with new totals.
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
