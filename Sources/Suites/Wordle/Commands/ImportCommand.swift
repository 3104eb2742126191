import Command
import Output
import System
import Terminal

extension Wordle {
  static let chatFile = Operand(
    optional: "FILE", ValueKind<String>.inputFile,
    "A chat, share texts or scores as JSON; '-' is standard input")
  static let player = Option(
    "player", ValueKind<String>.playerName, "Import all games as those of NAME",
    details: "Case does not matter.")
  static let me = Option(
    "me", ValueKind<String>.playerOrAccount, "Import the games of NAME as your own",
    details: "In 'stats', 'ranking' and 'compare' they are yours, together with those of the account.")

  static let importing = Command(
    "import", "Import games from chats, share texts or scores",
    discussion: """
      Finds share texts: a title such as 'Wordle 1,281 4/6*' at the beginning of a line, and its rows. A title alone \
      counts only if the message has no other text. Quotes, forwarded messages and other games are skipped.

      Chats of Discord, Slack, Telegram, WhatsApp and Signal are recognized, copied or exported. Each share text is \
      a game of its sender, for 'compare', 'ranking' and 'stats --player'. The daily summary of Discord's Wordle app \
      counts for the day before. Other texts, and scores as JSON, need --player or --me.

      A player has one result per game: the first with rows. Other results, share texts whose rows contradict their \
      title, and those of a chat whose sender is unknown are reported and not imported (status 2). For your own games \
      the account's result counts; 'stats', 'ranking' and 'compare' report imported results that differ. The numbers \
      of stored, known, replaced and skipped games, and the names of new players, are printed on standard error.
      """,
    usage: ["[--me NAME | --player NAME] [FILE | -]"],
    operands: [chatFile],
    options: [player, me, Confirmation.dryRun],
    exclusions: [Exclusion(player, me)],
    output: .rows(ImportedGame.self).schemaVersion(3),
    needs: [.store, .address],
    examples: [
      Example("hw wordle share 281 | hw wordle import --player Eve", "import a game of another player"),
      Example(
        "hw wordle scores --demo --where initial=false --json | hw wordle import --player Eve",
        "import the scores of another account, with --url and --token-file"),
      Example(
        "printf '[12/03/22, 12:03] Bob: Wordle 281 3/6\\n' | hw wordle import --me Bob",
        "import a chat; the games of Bob are your own"),
      Example(
        "hw wordle share 281 | hw wordle import --player Eve --dry-run", "print what would be imported"),
    ]
  ) { call, context throws(Failure) in
    let file = try call[chatFile]
    guard file != nil || context.host.hasPipedInput else {
      throw Failure(
        .usage, "'hw wordle import' reads standard input, and that is a terminal",
        hint: "name a FILE, or use '-' and paste")
    }
    let reading = try ChatFile.read(context.open(file), today: context.today.wordle)
    if let name = call[me] { try check(name, isSenderOf: reading.shares) }
    var imported = Import(reading.shares, broken: reading.broken, player: call[player], me: call[me])
    if imported.games.contains(where: { $0.player != nil }) {
      let players = try players(call, context)
      try reportPlayers(in: imported, players.all(), context)
      imported.addOutcomes(try players.store(imported.games, isDryRun: call[Confirmation.dryRun]))
      if let name = call[me], PlayerName.key(name) != Wordle.you, let duplicate = try players.player(name) {
        context.messages.report(
          "'\(duplicate.name)' is another player since an earlier import; "
            + "\(ShellWord.command("hw", "wordle", "rename", duplicate.name, Wordle.you)) makes those games your own"
        )
      }
    }
    let isFailed = !imported.problems.isEmpty || imported.games.contains { $0.player == nil }
    if !imported.games.isEmpty || !isFailed { try context.output.write(imported.games) }
    report(imported, reading.skipped, call, context)
    if let failure = failure(imported, reading.skipped, context) { throw failure }
  }

  /// Reports new players, since a sender read in a chat may be no name, two players who may be one person, and a player
  /// who may be two: an export names `Ann (ann7)` only if it has another Ann, and `Ann` otherwise.
  private static func reportPlayers(in imported: Import, _ stored: [PlayerResults], _ context: Context) {
    let players = Dictionary(stored.map { (PlayerName.key($0.name), $0) }) { $1 }
    var named = Set(players.keys).union([PlayerName.key(you)])
    let new = imported.games.compactMap(\.player).filter { named.insert(PlayerName.key($0)).inserted }
    if !new.isEmpty { context.messages.report("new players: \(list(new))") }
    let owners = Dictionary(stored.flatMap { player in player.accounts.map { ($0, player.name) } }) { $1 }
    var known: Set<String?> = []
    for game in imported.games where known.insert(game.account).inserted {
      guard let name = game.player, let account = game.account else { continue }
      if let owner = owners[account], name != you, PlayerName.key(owner) != PlayerName.key(name) {
        context.messages.report(
          "'\(owner)' is the same account as '\(name)'; "
            + "\(ShellWord.command("hw", "wordle", "rename", owner, name)) joins them")
      } else if owners[account] == nil, let other = players[PlayerName.key(name)]?.accounts.min() {
        context.messages.report(
          "'\(name)' is '\(other)' in an earlier import and '\(account)' here; to keep two people apart, "
            + "\(ShellWord.command("hw", "wordle", "delete", "--player", name)) and import both files at once"
        )
      }
    }
  }

  private static func report(
    _ imported: Import, _ skipped: SkippedShares, _ call: Invocation, _ context: Context
  ) {
    for line in skipped.lines { context.messages.report(line) }
    if imported.games.isEmpty, imported.problems.isEmpty, skipped.count == 0 {
      return context.messages.report("no share text and no score found")
    }
    let known = imported.count(.known) + imported.repeated
    context.messages.report(
      "\(imported.count(.stored)) \(call[Confirmation.dryRun] ? "to store" : "stored"), \(known) known, "
        + "\(imported.count(.replaced)) replaced, \(skipped.count) skipped")
  }

  /// Refuses a misspelled name, which would create another player.
  private static func check(_ name: String, isSenderOf shares: [ChatShare]) throws(Failure) {
    var known: Set<String> = []
    let senders = shares.compactMap(\.sender).filter { known.insert($0).inserted }
    if senders.isEmpty || senders.contains(where: { PlayerName.key($0) == PlayerName.key(name) }) { return }
    throw Failure(.usage, "'\(name)' sent no share text", hint: "senders: \(list(senders))")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).map { "'\($0)'" }.joined(separator: ", ") + (names.count > 20 ? ", …" : "")
  }

  /// Reports each problem on standard error, and for programs in the error object.
  private static func failure(_ imported: Import, _ skipped: SkippedShares, _ context: Context) -> Failure? {
    let problems = imported.problems
    guard let first = problems.first else {
      let count = imported.games.count { $0.player == nil }
      if imported.games.isEmpty, skipped.count > 0 {
        return Failure(
          .usage, "no game was imported, and \(skipped.count) skipped",
          hint: "give share texts with their titles and rows")
      }
      guard count > 0 else { return nil }
      return Failure(
        .usage, "\(count == 1 ? "1 share text has" : "\(count) share texts have") no sender: not imported",
        hint: "use '--me NAME' if the games are your own, or '--player NAME'")
    }
    if context.output.settings.format?.isJSON != true {
      for problem in problems { context.messages.report(problem.text) }
    }
    let count = problems.count == 1 ? "1 share text was" : "\(problems.count) share texts were"
    return Failure(
      .usage, "\(count) not imported, \(imported.games.count - imported.count(.refused)) read: \(first.text)",
      hint: "correct these \(first.place.unit.rawValue)s, and import them again",
      details: [
        .init(first.place.unit.rawValue, .integer(first.place.number)),
        .init("problems", .list(problems.map(\.text))),
      ])
  }
}

extension ValueKind where Value == String {
  /// The name of a player. 'you' is reserved for the account.
  static var playerName: ValueKind {
    ValueKind("NAME", expects: "a name other than '\(Wordle.you)'") { text in
      let name = text.trimmed
      return name.isEmpty || PlayerName.key(name) == Wordle.you ? nil : name
    }
  }

  static var playerOrAccount: ValueKind {
    ValueKind("NAME", expects: "a name") { text in
      let name = text.trimmed
      return name.isEmpty ? nil : name
    }
  }
}
