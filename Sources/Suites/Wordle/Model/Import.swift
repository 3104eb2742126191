struct ImportedGame: Equatable, Sendable {
  var game: SharedGame
  var player: String?
  /// Program and id of the sender.
  var account: String?
  var place: ChatPlace
  var outcome: Outcome?

  enum Outcome: String, CaseIterable, Sendable {
    case stored
    case known
    /// A result with rows replaced one without.
    case replaced
    /// A different stored result counts.
    case refused
  }
}

/// Share texts assigned to players. The first result with rows counts for a player's game; others are problems.
struct Import: Equatable, Sendable {
  private(set) var games: [ImportedGame] = []
  private(set) var problems: [BrokenShare]
  private(set) var repeated = 0

  /// Assigns all games to `player`, or else each to its sender. The user's own games are those of the sender `me`, or
  /// all if `me` is given and no game has a sender.
  init(_ shares: [ChatShare], broken: [BrokenShare], player named: String? = nil, me: String? = nil) {
    problems = broken
    /// Indices of `games` by key of the player and number of the game.
    var indices: [String: [Int: Int]] = [:]
    let isChat = shares.contains { $0.sender != nil }
    for share in shares {
      var player = named
      if named == nil {
        let isMe = share.sender.map { PlayerName.key($0) == me.map(PlayerName.key) } ?? (me != nil && !isChat)
        player = isMe ? PlayerName.you : share.sender
        // Anybody can choose that name in a chat.
        let isReserved = !isMe && player.map(PlayerName.key) == PlayerName.you
        guard !isReserved, player != nil || !isChat else {
          let reason =
            player.map { "the sender is called '\($0)', which is your own name here; import it with" }
            ?? "the sender is unknown; import it alone, with"
          problems.append(BrokenShare(place: share.place, reason: "\(reason) --me or --player"))
          continue
        }
      }
      var game = ImportedGame(game: share.game, player: player, place: share.place)
      if named == nil { game.account = share.account }
      guard let key = player.map(PlayerName.key), let index = indices[key]?[share.game.id] else {
        if let player { indices[PlayerName.key(player), default: [:]][share.game.id] = games.count }
        games.append(game)
        continue
      }
      merge(game, into: index)
    }
    problems.sort { $0.place < $1.place }
  }

  private mutating func merge(_ game: ImportedGame, into index: Int) {
    var (first, second) = (games[index], game)
    if first.game.rows.isEmpty, !second.game.rows.isEmpty {
      (first, second) = (second, first)
      first.player = second.player
    }
    games[index] = first
    if first.game.result == second.game.result {
      repeated += 1
    } else {
      let results = "\(second.game.result.text), and \(first.game.result.text) in \(first.place)"
      let reason = "Wordle \(game.game.id) of '\(first.player ?? "")' is \(results), which counts"
      problems.append(BrokenShare(place: second.place, reason: reason))
    }
  }

  /// Adds the outcomes of `Players.store`. A game that contradicts a stored result is a problem.
  mutating func addOutcomes(_ outcomes: [(outcome: ImportedGame.Outcome, stored: GameResult?)?]) {
    for (index, outcome) in zip(games.indices, outcomes) {
      guard let outcome else { continue }
      games[index].outcome = outcome.outcome
      guard outcome.outcome == .refused, let stored = outcome.stored else { continue }
      let game = games[index]
      let reason =
        "Wordle \(game.game.id) of '\(game.player ?? "")' is \(game.game.result.text), "
        + "and stored as \(stored.text), which counts"
      problems.append(BrokenShare(place: game.place, reason: reason))
    }
    problems.sort { $0.place < $1.place }
  }

  func count(_ outcome: ImportedGame.Outcome) -> Int { games.count { $0.outcome == outcome } }
}
