import Command
import HTTP
import Output
import Server
import System
import Terminal

extension Wordle {
  static let shared = Operand(
    optional: "FILE", ValueKind<String>.inputFile, "A chat or a file with share texts; '-' is standard input")
  static let player = Option(
    "player", ValueKind<String>.playerName, "Import all games as those of NAME",
    details: "An earlier result of the same game is replaced. Names are compared case-insensitively.")
  static let me = Option(
    "me", ValueKind<String>.playerOrAccount, "Import the games of NAME as your own",
    details: "In 'stats', 'ranking' and 'compare' they belong to '\(you)', together with the account.")
  static let forget = Option(
    "forget", ValueKind<String>.playerOrAccount, "Delete the imported games of NAME",
    details: "On a terminal the command asks for confirmation. '\(you)' names the games of --me.")

  static let importing = Command(
    "import", "Import share texts from a chat",
    discussion: """
      Finds share texts in copied chat text, also between other text and in quotes. Black and white squares, high \
      contrast, '1,281' and '1281', hard mode and X/6 are supported.

      In an exported chat of Discord, Signal or WhatsApp each share text is imported as a game of its sender, for \
      'compare', 'ranking' and 'stats --player'. A text without a sender is printed; it is imported with --player or \
      --me.

      Share texts whose rows contradict their title, and a second result of a player for the same game, are reported with \
      their line. The others are imported, and the status is 2. With --dry-run nothing is changed. --forget prints the \
      games that it deletes.
      """,
    usage: ["[--me NAME | --player NAME] [FILE | -]", "--forget NAME"],
    operands: [shared],
    options: [player, me, forget, Confirmation.yes, Confirmation.dryRun],
    exclusions: [
      Exclusion(player, me),
      Exclusion(forget, from: shared, player, me, hint: "import and forget in two commands"),
    ],
    output: .rows(ImportedGame.self),
    needs: [.store, .loss, .serviceData],
    examples: [
      Example("hw wordle share 281 | hw wordle import", "print a share text as a game"),
      Example("hw wordle share 281 | hw wordle import --player Eve", "import a game of another player"),
      Example(
        "printf '[12/03/22, 12:03] Bob: Wordle 281 3/6\\n' | hw wordle import --me Bob",
        "import a chat; the games of Bob are your own"),
      Example("hw wordle import --forget Ann --yes && hw wordle compare", "delete the games of Ann"),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    if let name = call[forget] { return try forgetGames(of: name, call, context) }
    let file = try call[shared]
    guard file != nil || context.host.hasPipedInput else {
      throw Failure(
        .usage, "'hw wordle import' reads standard input, and that is a terminal",
        hint: "name a FILE, or use '-' and paste")
    }
    let reader = try ShareTextReader(context.open(file))
    if let name = call[me] { try check(name, isSenderOf: reader.shares) }
    let read = Import(
      reader.shares, broken: reader.broken,
      call[player].map { .to($0) } ?? .bySender(me: call[me], you: you))
    if !call[Confirmation.dryRun], !read.players.isEmpty {
      let players = try Players(context.localData(of: service))
      try players.keep(read.players)
      if let name = call[me], PlayerName.key(name) != Wordle.you, let double = try players.player(name) {
        context.messages.report(
          "'\(double.name)' is another player since an earlier import; "
            + "\(ShellWord.command("hw", "wordle", "import", "--forget", double.name)) deletes those games")
      }
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
      .usage, "'\(name)' sent no share text",
      hint: "senders: \(shown)\(senders.count > 10 ? ", …" : "")")
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
      hint: "correct these lines, and import them again",
      details: [.init("line", .integer(problems[0].line)), .init("problems", .list(problems.map(\.text)))])
  }

  private static func forgetGames(
    of name: String, _ call: Invocation, _ context: Context
  ) throws(Failure) {
    let players = try Players(context.localData(of: service))
    guard let player = try players.player(name) else {
      throw Failure(.notFound, "there are no imported games of '\(name)'")
    }
    let count = player.results.count
    let games = "\(count) \(count == 1 ? "game" : "games") of \(player.name)"
    if call[Confirmation.dryRun] {
      context.messages.report("would forget \(games)")
    } else {
      try context.confirmIfInteractive("Forget \(games.terminalSafe)?")
      try players.forget(name)
    }
    try context.output.write(
      player.results.sorted { $0.key < $1.key }.map { id, result in
        let isHard = player.hardGames.contains(id)
        return ImportedGame(
          game: SharedGame(id: id, result: result, isHard: isHard, rows: []), player: player.name)
      })
  }
}

extension ValueKind where Value == String {
  /// The name of a player; 'you' is reserved for the account.
  static var playerName: ValueKind {
    ValueKind("NAME", expects: "a name other than '\(Wordle.you)'") { text in
      let name = PlayerName.trimmed(text)
      return name.isEmpty || PlayerName.key(name) == Wordle.you ? nil : name
    }
  }

  /// The name of a player or of the account.
  static var playerOrAccount: ValueKind {
    ValueKind("NAME", expects: "a name") { text in
      let name = PlayerName.trimmed(text)
      return name.isEmpty ? nil : name
    }
  }
}
