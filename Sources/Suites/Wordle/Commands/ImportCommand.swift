import Command
import Output
import System
import Terminal

extension Wordle {
  static let shared = Operand(
    optional: "FILE", ValueKind<String>.inputFile,
    "A chat, share texts or scores as JSON; '-' is standard input")
  static let player = Option(
    "player", ValueKind<String>.playerName, "Import all games as those of NAME",
    details: "An earlier result of the same game is replaced. Names are compared case-insensitively.")
  static let me = Option(
    "me", ValueKind<String>.playerOrAccount, "Import the games of NAME as your own",
    details: "In 'stats', 'ranking' and 'compare' they belong to '\(you)', together with the account.")

  static let importing = Command(
    "import", "Import games from chats, share texts or scores",
    discussion: """
      Finds share texts in copied chat text, also between other text and in quotes. Black and white squares, high \
      contrast, '1,281' and '1281', hard mode and X/6 are supported.

      In an exported chat of Discord, Signal or WhatsApp each share text is imported as a game of its sender, for \
      'compare', 'ranking' and 'stats --player'. A text without a sender is printed; it is imported with --player or \
      --me, and so are scores as JSON, the output of 'hw wordle scores --json'.

      Share texts whose rows contradict their title, and a second result of a player for the same game, are reported with \
      their line. The others are imported, and the status is 2. 'hw wordle delete --player NAME' deletes imported games.
      """,
    usage: ["[--me NAME | --player NAME] [FILE | -]"],
    operands: [shared],
    options: [player, me, Confirmation.dryRun],
    exclusions: [Exclusion(player, me)],
    output: .rows(ImportedGame.self).schemaVersion(2),
    needs: [.store, .address],
    examples: [
      Example("hw wordle share 281 | hw wordle import", "print a share text as a game"),
      Example("hw wordle share 281 | hw wordle import --player Eve", "import a game of another player"),
      Example(
        "hw wordle scores --json | hw wordle import --player Eve",
        "import the scores of another account, with --url and --token-file"),
      Example(
        "printf '[12/03/22, 12:03] Bob: Wordle 281 3/6\\n' | hw wordle import --me Bob",
        "import a chat; the games of Bob are your own"),
    ]
  ) { call, context throws(Failure) in
    let file = try call[shared]
    guard file != nil || context.host.hasPipedInput else {
      throw Failure(
        .usage, "'hw wordle import' reads standard input, and that is a terminal",
        hint: "name a FILE, or use '-' and paste")
    }
    let (shares, broken) = try shares(in: context.open(file))
    if let name = call[me] { try check(name, isSenderOf: shares) }
    let read = Import(
      shares, broken: broken,
      call[player].map { .to($0) } ?? .bySender(me: call[me], you: you))
    if !call[Confirmation.dryRun], !read.players.isEmpty {
      let players = try Players(context.localData(of: service))
      try players.keep(read.players)
      if let name = call[me], PlayerName.key(name) != Wordle.you, let double = try players.player(name) {
        context.messages.report(
          "'\(double.name)' is another player since an earlier import; "
            + "\(ShellWord.command("hw", "wordle", "delete", "--player", double.name)) deletes those games")
      }
    }
    if read.games.isEmpty, read.problems.isEmpty {
      context.messages.report("no share text and no score found")
    }
    if !read.games.isEmpty || read.problems.isEmpty { try context.output.write(read.games) }
    if !read.problems.isEmpty { throw failure(read, context) }
  }

  /// The share texts of a text, or scores as JSON in the same form.
  private static func shares(
    in source: any ByteSource
  ) throws(Failure) -> (shares: [ChatShare], broken: [BrokenShare]) {
    var text: [UInt8] = []
    while case let block = try source.read(atMost: 64 << 10), !block.isEmpty { text += block }
    guard ScoreFile.isScores(text) else {
      let reader = try ShareTextReader(MemorySource(text))
      return (reader.shares, reader.broken)
    }
    let scores = try ScoreFile.scores(in: MemorySource(text))
    return (scores.map { ChatShare(game: SharedGame($0), sender: nil, line: 1) }, [])
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
