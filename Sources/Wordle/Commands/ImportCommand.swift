import Command
import HTTP
import Output
import Server
import System
import Terminal

extension Wordle {
  static let shared = Operand(
    optional: "FILE", ValueKind<String>.file, "A chat or a file with share texts; '-' is standard input")
  static let player = Option(
    "player", ValueKind<String>.playerName, "Keep all games as those of NAME",
    details: "A game of that number that was kept before is replaced. Case does not matter.")
  static let me = Option(
    "me", ValueKind<String>.playerName, "Keep the games of the sender NAME as one's own",
    details: "In 'stats', 'ranking' and 'compare' they are those of '\(you)', with those of the account.")
  static let forget = Option(
    "forget", ValueKind<String>.playerOrAccount, "Forget the games of NAME, and read nothing",
    details: "On a terminal it asks before. '\(you)' forgets what --me kept.")

  static let importing = Command(
    "import", "Read share texts",
    discussion: """
      Finds the share texts in whatever was copied from a chat: several in a row, other words before, between and after \
      them, quoted, black squares or white, high contrast, '1,281' or '1281', the star of the hard mode, X/6.

      In an exported chat of Discord, Signal or WhatsApp each share text is kept as a game of its sender, for 'compare', \
      'ranking' and 'stats --player'. Without a sender it is shown, and kept if --player or --me says whose it is.

      A text whose rows do not agree with its title, and a second result of a player for the same game, are reported with \
      their line; the others are imported, and the status is 2. With --dry-run nothing is kept, and nothing forgotten.
      """,
    usage: ["[--me NAME | --player NAME] [FILE | -]", "--forget NAME"],
    operands: [shared],
    options: [player, me, forget, Confirmation.yes, Confirmation.dryRun],
    output: .rows(ImportedGame.self),
    needs: [.store, .loss],
    examples: [
      Example("hw wordle share 281 | hw wordle import", "what a share text says"),
      Example("hw wordle share 281 | hw wordle import --player Eve", "kept for 'hw wordle compare'"),
      Example(
        "printf '[12/03/22, 12:03] Ann: Wordle 281 3/6\\n' | hw wordle import --me Ann",
        "a chat in which Ann is oneself"),
      Example("hw wordle import --forget Ann --yes && hw wordle compare", "without the games of Ann"),
      Example("printf 'Wordle 281 4/6\\n\\n🟩🟩🟩🟩🟩\\n' | hw wordle import", "it does not add up", exits: 2),
    ],
    failures: [.notFound, .storage]
  ) { call, context throws(Failure) in
    if let name = call[forget] { return try forgetGames(of: name, call, context) }
    guard call[player] == nil || call[me] == nil else {
      throw Failure(.usage, "'--player' and '--me' exclude each other", hint: "give one of them")
    }
    let file = try call[shared]
    guard file != nil || context.host.hasPipedInput else {
      throw Failure(
        .usage, "'hw wordle import' reads standard input, and that is a terminal",
        hint: "name a FILE, or say '-' and paste")
    }
    let reader = try ShareTextReader(context.open(file))
    if let name = call[me] { try check(name, isSenderOf: reader.shares) }
    let read = Import(
      reader.shares, broken: reader.broken,
      call[player].map { .to($0) } ?? .bySender(me: call[me], you: you))
    if !call[Confirmation.dryRun], !read.players.isEmpty {
      try Players(context.localData(of: service)).keep(read.players)
    }
    if read.games.isEmpty, read.problems.isEmpty { context.messages.report("no share text found") }
    if !read.games.isEmpty || read.problems.isEmpty { try context.output.write(read.games) }
    if !read.problems.isEmpty { throw failure(read, context) }
  }

  /// A misspelled name would make a player of its own.
  private static func check(_ name: String, isSenderOf shares: [ChatShare]) throws(Failure) {
    var senders: [String] = []
    for sender in shares.compactMap(\.sender) where !senders.contains(sender) { senders.append(sender) }
    guard !senders.isEmpty, !senders.contains(where: { PlayerName.key($0) == PlayerName.key(name) }) else {
      return
    }
    let shown = senders.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
    throw Failure(
      .usage, "'\(name)' has sent no share text",
      hint: "the senders are \(shown)\(senders.count > 10 ? ", …" : "")")
  }

  /// Each problem is a line on standard error; for a program they are in the error object.
  private static func failure(_ read: Import, _ context: Context) -> Failure {
    let problems = read.problems
    if context.output.settings.format?.isJSON != true {
      for problem in problems { context.messages.report(problem.text) }
    }
    let count = problems.count == 1 ? "1 share text was" : "\(problems.count) share texts were"
    return Failure(
      .usage, "\(count) not imported, \(read.games.count) read: \(problems[0].text)",
      hint: "copy the share text again, and whole",
      details: [.init("line", .integer(problems[0].line)), .init("problems", .list(problems.map(\.text)))])
  }

  private static func forgetGames(
    of name: String, _ call: Invocation, _ context: Context
  ) throws(Failure) {
    let players = try Players(context.localData(of: service))
    guard let player = try players.player(name) else {
      throw Failure(.notFound, "no games of '\(name)' are kept")
    }
    let count = player.results.count
    let games = "\(count) \(count == 1 ? "game" : "games") of \(player.name)"
    guard !call[Confirmation.dryRun] else { return context.messages.report("would forget \(games)") }
    try context.confirmIfInteractive("Forget \(games.terminalSafe)?")
    _ = try players.forget(name)
  }
}

extension ValueKind where Value == String {
  /// The name of a player; 'you' is reserved for the account.
  static var playerName: ValueKind {
    ValueKind("NAME", wants: "a name other than '\(Wordle.you)'", show: { $0 }) { text in
      let name = PlayerName.trimmed(text)
      return name.isEmpty || PlayerName.key(name) == Wordle.you ? nil : name
    }
  }

  /// The name of a player or of the account.
  static var playerOrAccount: ValueKind {
    ValueKind("NAME", wants: "a name", show: { $0 }) { text in
      let name = PlayerName.trimmed(text)
      return name.isEmpty ? nil : name
    }
  }
}
