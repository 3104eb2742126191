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

  /// Adds the games of another source. The result of `self` counts if both have the game; hard mode counts from either.
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

  var statistics: Statistics { Statistics(games) }
  func statistics(today: Int) -> Statistics { Statistics(games, upTo: today + 1).asOf(today) }

  private var games: [(id: Int, result: GameResult)] { results.map { (id: $0.key, result: $0.value) } }
}
