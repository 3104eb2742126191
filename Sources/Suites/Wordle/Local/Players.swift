import Server
import Store
import System

/// The players that were imported from share texts, in a database on this machine: a service has only the account's
/// own scores.
struct Players {
  private let database: Database

  init(_ settings: BackendSettings) throws(Failure) {
    database = try settings.store.open(Players.migrations)
    guard settings.hasSamples else { return }
    let sample = SampleScores(seed: settings.seed)
    for (index, name) in ["Ann", "Ben"].enumerated() {
      try keep(sample.results(of: index + 1, in: sample.scores), of: name)
    }
  }

  static let migrations = Migrations(
    "wordle-players", base: 2,
    [
      """
      CREATE TABLE game (
        player TEXT NOT NULL,
        id INTEGER NOT NULL,
        tries INTEGER,
        hard INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (player, id)
      ) WITHOUT ROWID;
      """
    ], isLocal: true)

  /// Stores the games in one transaction. A game that is already stored is replaced. Names that differ in case alone
  /// are one player's, who keeps the name that was stored first.
  func keep(_ games: [SharedGame], of player: String) throws(Failure) {
    try keep([(player, games)])
  }

  /// Like `keep(_:of:)`, for several players in one transaction.
  func keep(_ players: [(name: String, games: [SharedGame])]) throws(Failure) {
    try database.transaction { () throws(Failure) in
      var names: [String: String] = [:]
      for name in try self.names() where names[PlayerName.key(name)] == nil {
        names[PlayerName.key(name)] = name
      }
      for (player, games) in players {
        let key = PlayerName.key(player)
        let name = names[key] ?? player
        names[key] = name
        for game in games { try store(game, of: name) }
      }
    }
  }

  private func store(_ game: SharedGame, of player: String) throws(Failure) {
    try database.run(
      """
      INSERT INTO game (player, id, tries, hard) VALUES (?, ?, ?, ?)
      ON CONFLICT (player, id) DO UPDATE SET tries = excluded.tries, hard = excluded.hard
      """,
      [
        .text(player), .integer(game.id), game.result.tries.map(SQLValue.integer) ?? .null,
        .integer(game.isHard ? 1 : 0),
      ])
  }

  private func names() throws(Failure) -> [String] {
    try database.rows("SELECT DISTINCT player FROM game ORDER BY player") { row throws(Failure) in
      try row[0].text
    }
  }

  /// All players, sorted by name. An earlier hw may have stored a player under names that differ in case: that is one
  /// player.
  func all() throws(Failure) -> [PlayerResults] {
    var players: [PlayerResults] = []
    var places: [String: Int] = [:]
    try database.each("SELECT player, id, tries, hard FROM game ORDER BY player, id") { row throws(Failure) in
      let name = try row[0].text
      let place = places[PlayerName.key(name)] ?? players.count
      if place == players.count {
        players.append(PlayerResults(name, [Int: GameResult]()))
        places[PlayerName.key(name)] = place
      }
      let tries = try row[2].orNull?.integer
      if let tries, !(1...Score.mostTries).contains(tries) {
        throw Failure(.storage, "the database of players has a game with \(tries) tries")
      }
      let id = try row[1].integer
      players[place].results[id] = tries.map(GameResult.solved) ?? .failed
      if try row[3].integer != 0 { players[place].hardGames.insert(id) }
    }
    return players
  }

  /// Returns the player with this name, ignoring case; nil if there is none.
  func player(_ name: String) throws(Failure) -> PlayerResults? {
    try all().first { PlayerName.key($0.name) == PlayerName.key(name) }
  }

  /// Deletes the games of a player, if there are any.
  func delete(_ player: String) throws(Failure) {
    for name in try names() where PlayerName.key(name) == PlayerName.key(player) {
      try database.run("DELETE FROM game WHERE player = ?", [.text(name)])
    }
  }
}
