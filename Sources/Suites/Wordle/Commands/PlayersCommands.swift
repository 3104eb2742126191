import Command
import Output
import System

extension Wordle {
  static let players = Command(
    "players", "List the players of imported games",
    discussion:
      "The games of 'hw wordle import --me' are those of '\(you)'; the scores of the account are not included.",
    output: .list(PlayerResults.self, order: "by name"),
    needs: [.store, .address],
    examples: [Example("hw wordle players --demo", "the players and the numbers of their games")]
  ) { _, context throws(Failure) in
    try context.output.write(Players(existing: context.localData(of: service)).all())
  }

  static let formerName = Operand("OLD", ValueKind<String>.playerOrAccount, "The name of a player")
  static let newName = Operand("NEW", ValueKind<String>.playerOrAccount, "The new name")

  static let rename = Command(
    "rename", "Change the name of a player, or merge two players",
    discussion: """
      If there is a player NEW, the players are merged, after a confirmation or with --yes. Of two results of a game \
      the first with rows counts, or that of NEW if both have them. The other result is reported. With 'you' as NEW \
      the games become your own.
      """,
    operands: [formerName, newName],
    options: [Confirmation.yes, Confirmation.dryRun],
    output: .rows(PlayerResults.self),
    needs: [.store, .address, .loss],
    examples: [
      Example("hw wordle rename Ann Anna --demo", "rename a player"),
      Example("hw wordle rename Ben you --demo", "make imported games your own"),
    ]
  ) { call, context throws(Failure) in
    let (old, new) = (try call[formerName], try call[newName])
    let settings = try context.localData(of: service)
    let players = try call[Confirmation.dryRun] ? Players(existing: settings) : Players(settings)
    guard let player = try players.player(old) else { throw noImportedGames(of: old) }
    let isSame = PlayerName.key(old) == PlayerName.key(new)
    let other = isSame ? nil : try players.player(new)
    if let other {
      if !call[Confirmation.dryRun] {
        try context.confirm("Merge \(player.name.terminalSafe) into \(other.name.terminalSafe)?")
      }
      for (id, result) in player.results.sorted(by: { $0.key < $1.key }) {
        guard let known = other.results[id], known != result else { continue }
        context.messages.report(
          "Wordle \(id) is \(result.text) of '\(player.name)' and \(known.text) of '\(other.name)': one result counts"
        )
      }
    }
    guard !call[Confirmation.dryRun] else {
      return try context.output.write([(other ?? PlayerResults(new)).adding(player)])
    }
    try players.rename(old, to: new)
    try context.output.write(players.all().filter { PlayerName.key($0.name) == PlayerName.key(new) })
  }
}

extension PlayerResults: Row {
  static let fields: Fields<PlayerResults> = [
    .text("name", "Name", "the name of the player") { $0.name },
    .integer("played", "Played", "imported games") { $0.results.count },
    .integer("first", "First", "the number of the first game", orNull: { $0.results.keys.min() }),
    .integer("last", "Last", "the number of the last game", orNull: { $0.results.keys.max() }),
  ]
}
