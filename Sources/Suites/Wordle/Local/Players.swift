import Server
import Store
import System

/// Imported players, in a local database: a service has only the scores of its account.
struct Players {
  private let database: Database

  init(_ settings: BackendSettings) throws(Failure) {
    try self.init(settings.store.open(Players.migrations), settings)
  }

  /// Opens the database for reading. Without a database there are no players, and none is created.
  init(existing settings: BackendSettings) throws(Failure) {
    try self.init(settings.store.forReading(Players.migrations).open(Players.migrations), settings)
  }

  private init(_ database: Database, _ settings: BackendSettings) throws(Failure) {
    self.database = database
    guard settings.hasSamples else { return }
    let sample = SampleScores(seed: settings.seed)
    for (index, name) in ["Ann", "Ben"].enumerated() {
      let games = sample.results(of: index + 1, in: sample.scores)
      _ = try store(
        games.map { ImportedGame(game: $0, player: name, place: ChatPlace(.line, 1)) }, isDryRun: false)
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
      """,
      // Whether the share text had rows. A result with rows replaces one without.
      "ALTER TABLE game ADD COLUMN grid INTEGER NOT NULL DEFAULT 1;",
      // Program and id of the sender, such as `Discord 1234`.
      "ALTER TABLE game ADD COLUMN account TEXT;",
    ], isLocal: true)

  /// Stores games in one transaction, and returns the outcome of each, nil for a game without a player. The stored
  /// result counts, unless only the new one has rows. Names that differ only in case are one player, named as stored.
  func store(
    _ games: [ImportedGame], isDryRun: Bool
  ) throws(Failure) -> [(outcome: ImportedGame.Outcome, stored: GameResult?)?] {
    try database.transaction { () throws(Failure) in
      var players: [String: (name: String, games: [Int: (result: GameResult, hasRows: Bool)])] = [:]
      try self.each { stored throws(Failure) in
        let (key, game) = (PlayerName.key(stored.player), (stored.result, stored.hasRows))
        players[key, default: (stored.player, [:])].games[stored.id] = game
      }
      return try games.map { imported throws(Failure) in
        guard let player = imported.player else { return nil }
        let (game, key) = (imported.game, PlayerName.key(player))
        let new = (result: game.result, hasRows: !game.rows.isEmpty)
        let stored = players[key]?.games[game.id]
        let isBetter = stored.map { !$0.hasRows && new.hasRows } ?? true
        guard isBetter else { return (stored?.result == new.result ? .known : .refused, stored?.result) }
        players[key, default: (player, [:])].games[game.id] = new
        if !isDryRun { try insert(game, of: players[key]?.name ?? player, imported.account) }
        return (stored == nil ? .stored : stored?.result == new.result ? .known : .replaced, stored?.result)
      }
    }
  }

  private func insert(_ game: SharedGame, of player: String, _ account: String?) throws(Failure) {
    try database.run(
      """
      INSERT INTO game (player, id, tries, hard, grid, account) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (player, id) DO UPDATE SET tries = excluded.tries, hard = excluded.hard, grid = excluded.grid
      """,
      [
        .text(player), .integer(game.id), game.result.tries.map(SQLValue.integer) ?? .null,
        .integer(game.isHard ? 1 : 0), .integer(game.rows.isEmpty ? 0 : 1),
        account.map(SQLValue.text) ?? .null,
      ])
  }

  private func names() throws(Failure) -> [String] {
    try database.rows("SELECT DISTINCT player FROM game ORDER BY player") { row throws(Failure) in
      try row[0].text
    }
  }

  /// All players, sorted by name. Merges names that differ only in case, which earlier versions stored.
  func all() throws(Failure) -> [PlayerResults] {
    var players: [PlayerResults] = []
    var indices: [String: Int] = [:]
    try each { game throws(Failure) in
      let key = PlayerName.key(game.player)
      let index = indices[key] ?? players.count
      if index == players.count {
        players.append(PlayerResults(game.player))
        indices[key] = index
      }
      players[index].results[game.id] = game.result
      if game.isHard { players[index].hardGames.insert(game.id) }
      if let account = game.account { players[index].accounts.insert(account) }
    }
    return players
  }

  private typealias StoredGame = (
    player: String, id: Int, result: GameResult, isHard: Bool, hasRows: Bool, account: String?
  )

  private func each(_ body: (StoredGame) throws(Failure) -> Void) throws(Failure) {
    try database.each("SELECT player, id, tries, hard, grid, account FROM game ORDER BY player, id") {
      row throws(Failure) in
      let tries = try row[2].orNull?.integer
      if let tries, !(1...Score.mostTries).contains(tries) {
        throw Failure(.storage, "the database of players has a game with \(tries) tries")
      }
      try body(
        (
          row[0].text, row[1].integer, tries.map(GameResult.solved) ?? .failed, row[3].integer != 0,
          row[4].integer != 0, row[5].orNull?.text
        ))
    }
  }

  /// Ignores case. Returns nil for an unknown name.
  func player(_ name: String) throws(Failure) -> PlayerResults? {
    try all().first { PlayerName.key($0.name) == PlayerName.key(name) }
  }

  /// Renames a player, and merges the games into those of a player with the new name as in `store`.
  func rename(_ player: String, to name: String) throws(Failure) {
    try database.transaction { () throws(Failure) in
      let known = try self.names().first { PlayerName.key($0) == PlayerName.key(name) }
      let isSame = PlayerName.key(player) == PlayerName.key(name)
      for old in try names() where PlayerName.key(old) == PlayerName.key(player) && old != name {
        try database.run(
          """
          INSERT INTO game (player, id, tries, hard, grid, account)
          SELECT ?, id, tries, hard, grid, account FROM game WHERE player = ?
          ON CONFLICT (player, id) DO UPDATE SET tries = excluded.tries, hard = excluded.hard, grid = excluded.grid
          WHERE game.grid = 0 AND excluded.grid = 1
          """, [.text(isSame ? name : known ?? name), .text(old)])
        try database.run("DELETE FROM game WHERE player = ?", [.text(old)])
      }
    }
  }

  func delete(_ player: String) throws(Failure) {
    for name in try names() where PlayerName.key(name) == PlayerName.key(player) {
      try database.run("DELETE FROM game WHERE player = ?", [.text(name)])
    }
  }
}
