/// A share text and the player whose game it is.
struct ImportedGame: Equatable, Sendable {
  var game: SharedGame
  /// The player of the game; nil if the sender is unknown.
  var player: String?
}

/// The share texts of a chat, assigned to players. A player has one result per game: of several, the first is right
/// and the others are problems.
struct Import: Equatable, Sendable {
  private(set) var games: [ImportedGame] = []
  /// Broken share texts and conflicts, by line.
  private(set) var problems: [BrokenShare]

  /// The rule that assigns share texts to players.
  enum Assignment: Equatable, Sendable {
    /// All games are this player's.
    case to(String)
    /// Each sender is a player; `me` is the name in the chat of the account's player, who is called `you`.
    case bySender(me: String?, you: String)
  }

  init(_ shares: [ChatShare], broken: [BrokenShare], _ assignment: Assignment) {
    problems = broken
    var places: [String: [Int: Int]] = [:]
    for share in shares {
      // Anybody can choose that name in a chat.
      if let name = Import.reservedSender(of: share, assignment) {
        problems.append(
          BrokenShare(
            line: share.line,
            reason:
              "the sender is called '\(name)', which is your own name here; import it with --me or --player"))
        continue
      }
      guard let player = Import.player(of: share, assignment) else {
        games.append(ImportedGame(game: share.game, player: nil))
        continue
      }
      let key = PlayerName.key(player)
      guard let place = places[key]?[share.game.id] else {
        places[key, default: [:]][share.game.id] = games.count
        games.append(ImportedGame(game: share.game, player: player))
        continue
      }
      let known = games[place].game
      if known.result != share.game.result {
        let results = "\(known.result.text) and as \(share.game.result.text)"
        problems.append(
          BrokenShare(
            line: share.line,
            reason: "Wordle \(share.game.id) stands there as \(results) for '\(player)'; the first counts"))
      } else if known.rows.isEmpty {
        games[place].game = share.game
      }
    }
    problems.sort { $0.line < $1.line }
  }

  /// The name of a sender that would be taken for the account's player.
  private static func reservedSender(of share: ChatShare, _ assignment: Assignment) -> String? {
    guard case .bySender(let me, let you) = assignment, let sender = share.sender else { return nil }
    let key = PlayerName.key(sender)
    return key == PlayerName.key(you) && key != me.map(PlayerName.key) ? sender : nil
  }

  private static func player(of share: ChatShare, _ assignment: Assignment) -> String? {
    switch assignment {
    case .to(let name): return name
    case .bySender(let me, let you):
      guard let sender = share.sender else { return me == nil ? nil : you }
      let isMe = me.map { PlayerName.key($0) == PlayerName.key(sender) } ?? false
      return isMe ? you : sender
    }
  }

  /// The games of each player, in the order of the chat.
  var players: [(name: String, games: [SharedGame])] {
    var players: [(name: String, games: [SharedGame])] = []
    var places: [String: Int] = [:]
    for game in games {
      guard let name = game.player else { continue }
      let key = PlayerName.key(name)
      let place = places[key] ?? players.count
      if place == players.count {
        places[key] = place
        players.append((name, []))
      }
      players[place].games.append(game.game)
    }
    return players
  }
}
