import Command
import Output
import System

extension NBA {
  static let searchOperand = Operand(rest: "SEARCH", .text("SEARCH"), "A name, or a first and a last name")
  static let playerID = Operand("ID", ValueKind<Int>.playerID, "The id of the player, from 'hw nba players'")
  static let ofTeam = Option(
    "team", each: ValueKind<String>.text("TEAM", .words(teamNames)), "List only players of TEAM")

  static let players = Command(
    "players", "Search players by name",
    discussion: """
      One word matches the beginning of a first or last name. Of several words the first is the first name and the \
      rest the last name. Without SEARCH all players are listed, page by page as needed.
      """,
    operands: [searchOperand], options: [ofTeam] + access,
    output: .list(Player.self, order: "in the order of the service", arrival: .paged).schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw nba players james", "search by first or last name"),
      Example(
        "hw nba players --team lakers --fields last_name,position,jersey_number", "the players of a team"),
      Example("hw nba players xyzzy --exit-status", "a search without results", exits: 1),
    ]
  ) { call, context throws(Failure) in
    let progress = Progress(context, "row", inEach: "page", whileRows: true)
    let words = try call[searchOperand]
    let search = PlayerSearch(words)
    guard search != .all || words.isEmpty else {
      throw Failure(
        .usage, "'SEARCH' requires a name, not '\(words.joined(separator: " "))'",
        hint: "without SEARCH all players are listed")
    }
    let client = try client(context)
    let teams = try client.teamIDs(call[ofTeam], next: "GET /players with team_ids[]=ID of the team")
    var pages = Pages<Player> { page throws(Failure) in try client.players(search, teams: teams, page) }
    try context.output.write(each: Player.self) { rows throws(Failure) in
      while !rows.isFull, let players = try pages.next(atMost: rows.rowsNeeded) {
        for player in players where !rows.isFull { try rows.write(player) }
        if !rows.isFull, !pages.isOver { try rows.awaitReader() }
        progress.add(players.count)
      }
    }
  }

  static let player = Command(
    "player", "Show a player and the last games of the team",
    discussion:
      "The text requests the games of the team, too. Other formats print the fields of the player alone.",
    operands: [playerID], options: access,
    output: .one(PlayerCard.self, text: "One line per field, and the games of the team."),
    needs: [.network],
    examples: [
      Example(
        "hw nba players james --limit 1 --fields id --tsv --no-header | xargs hw nba player",
        "a player found by name")
    ]
  ) { call, context throws(Failure) in
    let client = try client(context)
    var card = PlayerCard(
      player: try client.player(
        call[playerID], next: "GET /games with team_ids[]=ID of the team, for the text"))
    if context.output.printsText(of: PlayerCard.self), let team = card.player.team {
      card.season = try season(of: team, client, context)
    }
    try context.output.write(card)
  }
}

extension ValueKind where Value == Int {
  static var playerID: ValueKind {
    ValueKind("ID", expects: "the id of a player", hint: "'hw nba players NAME' searches players by name") {
      text in
      Int(text).flatMap { $0 > 0 && text.utf8.allSatisfy(\.isASCIIDigit) ? $0 : nil }
    }
  }
}
