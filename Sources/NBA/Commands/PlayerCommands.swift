import Command
import Output
import System
import Terminal

extension NBA {
  static let searchOperand = Operand(
    rest: "SEARCH", ValueKind<String>.text("SEARCH"),
    "A first or last name, or both; '-' reads a search a line")
  static let playerID = Operand("ID", ValueKind<Int>.count(1 ... .max, "ID"), "The player's id")
  static let ofTeam = Option("team", each: ValueKind<String>.text("TEAM"), "Show only the players of TEAM")
  static let exitStatus = Option("exit-status", "End with 1 where nobody is found")

  static let players = Command(
    "players", "Search the players",
    discussion: """
      One word matches the beginning of a first or a last name; of several the first is the first name and the others \
      are the last. Without SEARCH it is every player there is, page after page as they are read.

      With '-' every line of standard input is a search, answered before the next is read.
      """,
    operands: [searchOperand], options: [ofTeam, limit, exitStatus] + access,
    output: .rows(Player.self),
    needs: [.network, .pager, .pages],
    examples: [
      Example("hw nba players james", "who has that for a first or last name"),
      Example("hw nba players --team lakers --fields last_name,position,jersey_number", "the men of a team"),
      Example("printf 'james\\nstone\\n' | hw nba players - --csv", "many searches, one list"),
      Example("hw nba players xyzzy --exit-status", "nobody", exits: 1),
    ],
    failures: [.no, .conflict]
  ) { call, context throws(Failure) in
    let progress = Progress(context)
    defer { progress.clear() }
    var search = try PlayerQueue(call[searchOperand], input: context.input)
    let client = try client(call, progress.context)
    let teams = try client.teamIDs(call[ofTeam])
    var left = call[limit] ?? .max
    var isEmpty = true
    try context.output.write(each: Player.self) { rows throws(Failure) in
      while left > 0, let names = try search.next() {
        var pages = Pages<Player> { place throws(Failure) in try client.players(names, teams: teams, place) }
        while left > 0, let players = try pages.next(atMost: left) {
          progress.clear()
          for player in players { try rows.write(player) }
          left -= players.count
          isEmpty = false
          if left > 0, !pages.isOver { try rows.awaitReader() }
          progress.addPage(of: players.count)
        }
        try rows.pause()
      }
    }
    if isEmpty, call[exitStatus] { throw Failure(.no, "no player was found") }
  }

  static let player = Command(
    "player", "Show one player and his team",
    operands: [playerID], options: access,
    output: .one(PlayerCard.self, text: "All that is known, a line each."),
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

/// The searches of one run: that of the operands, or those of standard input.
struct PlayerQueue {
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

  /// Lines of nothing but blanks are passed over: they would be a search for everybody.
  mutating func next() throws(Failure) -> PlayerSearch? {
    while let line = try lines?.nextText() {
      let search = PlayerSearch([line])
      if search != .everybody { return search }
    }
    defer { single = nil }
    return single
  }
}

extension Player: Row {
  static let fields: Fields<Player> = described(by: \.self)

  /// The columns of a player, for rows that hold one.
  static func described<R>(by player: @escaping @Sendable (R) -> Player) -> Fields<R> {
    [
      Field.integer("id", "Id", "the service's number of him") { player($0).id }.hiddenByDefault,
      .text("first_name", "First name", "his first name") { player($0).firstName },
      .text("last_name", "Last name", "his last name") { player($0).lastName },
      .text("team.full_name", "Team", "the team he plays for", orNull: { player($0).team?.fullName }),
      Field.text("position", "Position", "G, F, C or two of them", orNull: { player($0).position })
        .hiddenByDefault,
      Field.text("height", "Height", "feet and inches", orNull: { player($0).height }).hiddenByDefault,
      Field.text("weight", "Weight", "pounds", orNull: { player($0).weight }).hiddenByDefault,
      Field.text("jersey_number", "No.", "on his shirt", orNull: { player($0).jerseyNumber }).hiddenByDefault,
      Field.text("college", "College", "where he played before", orNull: { player($0).college })
        .hiddenByDefault,
      Field.text("country", "Country", "where he comes from", orNull: { player($0).country }).hiddenByDefault,
      Field.integer("draft_year", "Drafted", "the year of his draft", orNull: { player($0).draftYear })
        .hiddenByDefault,
      Field.integer("draft_round", "Round", "the round of his draft", orNull: { player($0).draftRound })
        .hiddenByDefault,
      Field.integer("draft_number", "Pick", "his place in the draft", orNull: { player($0).draftNumber })
        .hiddenByDefault,
      Field.integer("team.id", "Team id", "the team's number", orNull: { player($0).team?.id })
        .hiddenByDefault,
      Field.text(
        "team.abbreviation", "Team abbr", "the team's abbreviation", orNull: { player($0).team?.abbreviation }
      ).hiddenByDefault,
      Field.text("team.city", "Team city", "the team's city", orNull: { player($0).team?.city })
        .hiddenByDefault,
      Field.text("team.name", "Team name", "the team's nickname", orNull: { player($0).team?.name })
        .hiddenByDefault,
      Field.text(
        "team.conference", "Conference", "the team's conference", orNull: { player($0).team?.conference }
      ).hiddenByDefault,
      Field.text("team.division", "Division", "the team's division", orNull: { player($0).team?.division })
        .hiddenByDefault,
    ]
  }
}

/// One player, all of him.
struct PlayerCard: Row {
  let player: Player

  static let fields: Fields<PlayerCard> = Player.described(by: \.player)

  static let text: (@Sendable (PlayerCard, Screen?) -> String)? = { card, _ in
    let player = card.player
    let draft = player.draftYear.map { year in
      let round = player.draftRound.map { ", round \($0)" } ?? ""
      return "\(year)\(round)\(player.draftNumber.map { ", pick \($0)" } ?? "")"
    }
    let lines: [(String, String?)] = [
      ("Name", "\(player.firstName) \(player.lastName)"), ("Id", String(player.id)),
      ("Team", player.team.map { "\($0.fullName) (\($0.abbreviation))" }), ("Position", player.position),
      ("Number", player.jerseyNumber), ("Height", player.height),
      ("Weight", player.weight.map { "\($0) lb" }),
      ("College", player.college), ("Country", player.country), ("Draft", draft),
    ]
    return lines.map { title, value in
      title + String(repeating: " ", count: 10 - title.count) + (value?.terminalSafe ?? "-")
    }.joined(separator: "\n")
  }
}
