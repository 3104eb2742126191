import Command
import HTTP
import Output
import Server
import System
import Terminal

extension Wordle {
  static let clipboard = Option(
    "clipboard", "Hand the text to the terminal's clipboard as well",
    details: "By the sequence OSC 52, which most terminals obey, also at the far end of ssh.")

  static let share = Command(
    "share", "Print the text that shares a score",
    discussion:
      "Title, an empty line and a row of squares for each try, as Wordle makes it: no letter is given away.",
    operands: [id],
    options: [clipboard, palette, background, tokenFile],
    output: .one(ShareTextRow.self, text: "The share text."),
    needs: [.network],
    examples: [
      Example("hw wordle share 264", "ready to be pasted"),
      Example("hw wordle share 264 --palette high-contrast", "in orange and blue"),
      Example("hw wordle share 264 --background light", "with white squares for what is not in the word"),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let terminal = call[clipboard] ? try clipboardTerminal(context) : nil
    let score = try client(context).score(call[id])
    let text = SharedGame(score).text(colors(call))
    if let terminal { try terminal.write(Wordle.clipboardSequence(text)) }
    try context.output.write(ShareTextRow(score: score, text: text))
  }

  static func clipboardSequence(_ text: String) -> String {
    "\u{1B}]52;c;\(Base64.encode(Array(text.utf8)))\u{07}"
  }

  private static func clipboardTerminal(_ context: Context) throws(Failure) -> any ByteSink {
    if let terminal = context.host.terminalStream { return terminal }
    throw Failure(
      .usage, "'--clipboard' wants a terminal", hint: "pipe the text to a program such as wl-copy or pbcopy")
  }

  static let shared = Operand(
    optional: "FILE", ValueKind<String>.file, "A file with share texts; '-' is standard input")
  static let player = Option(
    "player", ValueKind<String>.playerName, "Keep the games as those of NAME, for compare",
    details: "A game of that number that was kept before is replaced.")
  static let forget = Option(
    "forget", ValueKind<String>.playerName, "Forget the games of NAME, and read nothing",
    details: "On a terminal it asks before.")

  static let importing = Command(
    "import", "Read share texts",
    discussion: """
      Finds the share texts in whatever was copied from a chat: several in a row, other words before, between and after \
      them, quoted, black squares or white, high contrast, '1,281' or '1281', the star of the hard mode, X/6. A text \
      whose rows do not agree with its title is an error that names the line, and then nothing is kept.

      With --dry-run nothing is kept, and nothing forgotten.
      """,
    usage: ["[--player NAME] [FILE | -]", "--forget NAME"],
    operands: [shared],
    options: [player, forget, Confirmation.yes, Confirmation.dryRun],
    output: .rows(SharedGame.self),
    needs: [.store, .loss],
    examples: [
      Example("hw wordle share 281 | hw wordle import", "what a share text says"),
      Example("hw wordle share 281 | hw wordle import --player Eve", "kept for 'hw wordle compare'"),
      Example("hw wordle import --forget Ann --yes && hw wordle compare", "without the games of Ann"),
      Example("printf 'Wordle 281 4/6\\n\\n🟩🟩🟩🟩🟩\\n' | hw wordle import", "it does not add up", exits: 2),
    ],
    failures: [.notFound, .storage]
  ) { call, context throws(Failure) in
    if let name = call[forget] { return try forgetGames(of: name, call, context) }
    let file = try call[shared]
    guard file != nil || context.host.hasPipedInput else {
      throw Failure(
        .usage, "'hw wordle import' reads standard input, and that is a terminal",
        hint: "name a FILE, or say '-' and paste")
    }
    let games = try ShareTextReader.games(in: context.open(file))
    if let name = call[player] {
      try checkOneResultPerGame(games)
      if !call[Confirmation.dryRun] { try Players(context.localData(of: service)).keep(games, of: name) }
    }
    if games.isEmpty { context.messages.report("no share text found") }
    try context.output.write(games)
  }

  private static func forgetGames(
    of name: String, _ call: Invocation, _ context: Context
  ) throws(Failure) {
    let players = try Players(context.localData(of: service))
    guard let count = try players.all().first(where: { $0.name == name })?.results.count else {
      throw Failure(.notFound, "no games of '\(name)' are kept")
    }
    let games = "\(count) \(count == 1 ? "game" : "games") of \(name)"
    guard !call[Confirmation.dryRun] else { return context.messages.report("would forget \(games)") }
    try context.confirmIfInteractive("Forget \(games.terminalSafe)?")
    _ = try players.forget(name)
  }

  /// A player has one result per game, so two different results are those of two players.
  private static func checkOneResultPerGame(_ games: [SharedGame]) throws(Failure) {
    var seen: [Int: SharedGame] = [:]
    for game in games {
      if let other = seen.updateValue(game, forKey: game.id), other.result != game.result {
        throw Failure(
          .usage, "Wordle \(game.id) stands there as \(other.result.text) and as \(game.result.text)",
          hint: "give the texts of one player alone")
      }
    }
  }
}

extension ValueKind where Value == String {
  /// The name of a player; 'you' is reserved for the account.
  static var playerName: ValueKind {
    ValueKind("NAME", wants: "a name other than '\(Wordle.you)'", show: { $0 }) {
      $0.isEmpty || $0 == Wordle.you ? nil : $0
    }
  }
}
