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
    "wordle-players",
    [
      """
      CREATE TABLE game (
        player TEXT NOT NULL,
        id INTEGER NOT NULL,
        tries INTEGER,
        PRIMARY KEY (player, id)
      ) WITHOUT ROWID;
      """
    ], isLocal: true)

  /// Stores the games in one transaction. A game that is already stored is replaced.
  func keep(_ games: [SharedGame], of player: String) throws(Failure) {
    try database.transaction { () throws(Failure) in
      for game in games {
        try database.run(
          """
          INSERT INTO game VALUES (?, ?, ?)
          ON CONFLICT (player, id) DO UPDATE SET tries = excluded.tries
          """,
          [.text(player), .integer(game.id), game.result.tries.map(SQLValue.integer) ?? .null])
      }
    }
  }

  /// All players, sorted by name.
  func all() throws(Failure) -> [Player] {
    var players: [Player] = []
    try database.each("SELECT player, id, tries FROM game ORDER BY player, id") { row throws(Failure) in
      let name = try row[0].text
      if players.last?.name != name { players.append(Player(name, [Int: GameResult]())) }
      let tries = try row[2].orNull?.integer
      if let tries, !(1...Score.mostTries).contains(tries) {
        throw Failure(.storage, "the database of players has a game with \(tries) tries")
      }
      players[players.count - 1].results[try row[1].integer] = tries.map(GameResult.solved) ?? .failed
    }
    return players
  }

  /// True if there was such a player.
  func forget(_ player: String) throws(Failure) -> Bool {
    try database.run("DELETE FROM game WHERE player = ?", [.text(player)]) > 0
  }
}
