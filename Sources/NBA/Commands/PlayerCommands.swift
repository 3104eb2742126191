import Command
import Output
import System

extension NBA {
  static let searchOperand = Operand(
    rest: "SEARCH", ValueKind<String>.text("SEARCH"),
    "A first or last name, or both; '-' reads a search a line")
  static let playerID = Operand("ID", ValueKind<Int>.count(1 ... .max, "ID"), "The player's id")
  static let ofTeam = Option("team", each: ValueKind<String>.text("TEAM"), "Show only the players of TEAM")

  static let players = Command(
    "players", "Search the players",
    discussion: """
      One word matches the beginning of a first or a last name; of several the first is the first name and the others \
      are the last. Without SEARCH it is every player there is, page after page as they are read.

      With '-' every line of standard input is a search, answered before the next is read.
      """,
    operands: [searchOperand], options: [ofTeam] + access,
    output: .pagedList(Player.self, order: "in the order of the service"),
    needs: [.network, .pager],
    examples: [
      Example("hw nba players james", "by first or last name"),
      Example(
        "hw nba players --team lakers --fields last_name,position,jersey_number", "the players of a team"),
      Example("printf 'james\\nstone\\n' | hw nba players - --csv", "many searches, one list"),
      Example("hw nba players xyzzy --exit-status", "nobody", exits: 1),
    ],
    failures: [.no, .notFound, .conflict]
  ) { call, context throws(Failure) in
    let progress = Progress(context, "rows", inEach: "page", whileRows: true)
    var searches = try PlayerSearches(call[searchOperand], input: context.input)
    let client = try client(call, progress.watching(context))
    let teams = try client.teamIDs(
      call[ofTeam], next: "GET /players with team_ids[]=ID of the team")
    try context.output.write(each: Player.self) { rows throws(Failure) in
      while !rows.isFull, let search = try searches.next() {
        var pages = Pages<Player> { page throws(Failure) in try client.players(search, teams: teams, page) }
        while !rows.isFull, let players = try pages.next(atMost: rows.rowsNeeded) {
          for player in players where !rows.isFull { try rows.write(player) }
          if !rows.isFull, !pages.isOver { try rows.awaitReader() }
          progress.add(players.count)
        }
        try rows.pause()
      }
    }
  }

  static let player = Command(
    "player", "Show one player and the player's team",
    operands: [playerID], options: access,
    output: .one(PlayerCard.self, text: "One line per field."),
    needs: [.network],
    examples: [
      Example(
        "hw nba players james --limit 1 --fields id --tsv --no-header | xargs hw nba player", "found by name"),
      Example("hw nba player 1", "ids are sparse", exits: 3),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    try context.output.write(PlayerCard(player: client(call, context).player(call[playerID])))
  }
}

/// The searches of one run: one from the operands, or one per line of standard input.
struct PlayerSearches {
  private var lines: LineReader?
  private var single: PlayerSearch?

  init(_ words: [String], input: any ByteSource) throws(Failure) {
    guard words.contains("-") else {
      single = PlayerSearch(words)
      return
    }
    guard words == ["-"] else {
      throw Failure(
        .usage, "'-' and other searches exclude each other", hint: "give all of them on standard input")
    }
    lines = LineReader(input)
  }

  /// Skips blank lines, which would list all players.
  mutating func next() throws(Failure) -> PlayerSearch? {
    while let line = try lines?.nextText() {
      let search = PlayerSearch([line])
      if search != .all { return search }
    }
    defer { single = nil }
    return single
  }
}
