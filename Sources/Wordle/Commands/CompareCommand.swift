import Command
import JSON
import Output
import Server
import System
import Terminal

extension Wordle {
  static let others = Option(
    "with", each: ValueKind<NamedSource>.namedSource, "Compare with the scores of FILE or URL",
    details: """
      FILE contains share texts, or scores as JSON. URL is another service of the same kind; the token of \
      --with-token-file is sent to it, or none. The option can be repeated. An imported player of the same name is left \
      out.
      """)
  static let othersTokens = Option(
    "with-token-file", each: ValueKind<NamedSource>.namedFile, "Read the token for the URL of NAME from FILE",
    details: "The option can be repeated.")
  static let week = Option("week", "Compare games of the last seven days")
  static let everything = Option("all", "Include games of only one player")
  static let compare = Command(
    "compare", "Compare players game by game",
    discussion: """
      Compares the games of the account with those of imported players ('hw wordle import') and of --with. The player \
      with the fewest tries wins a game, marked [3/6]; equal results are a tie. A lost game (X/6) never wins. Wins, \
      ties and means are those of the games that are shown. CSV, TSV and Markdown have one row per game, with the fields \
      id, results and best, which --where and --sort use in every format.
      """,
    options: [others, othersTokens, everything, week, since, until, tokenFile],
    exclusions: [Exclusion(week, from: since, until)],
    output: .one(
      ComparisonRow.self, listing: ComparedGame.self, order: "by number, newest game first",
      text: "A matrix of players and games."),
    needs: [.network, .store],
    examples: [
      Example("hw wordle compare --limit 10", "the ten newest games of several players"),
      Example(
        "hw wordle scores --json >mine.json; hw wordle compare --with Eve=mine.json",
        "compare with the scores in a file"
      ),
      Example("hw wordle compare --json | jq '.players[] | {name, wins}'", "the wins of each player"),
    ]
  ) { call, context throws(Failure) in
    let period = call[week] ? .last(7, upTo: context.today) : try period(call)
    let list =
      try context.response { () throws(Failure) in try client(context).games(in: period) } ?? ScoreList()
    let kept = try Players(context.localData(of: service)).all().map { $0.playing(in: period) }
    var players = withAccount(Player(you, list.valid), kept).filter { $0.name == you || !$0.results.isEmpty }
    let tokens = try tokenFiles(call)
    var named: Set<String> = []
    for other in call[others] {
      guard named.insert(other.key).inserted else {
        throw Failure(
          .usage, "'--with \(other.name)=…' is given twice",
          hint: "put the games into one file, or use two names")
      }
      players.removeAll { PlayerName.key($0.name) == PlayerName.key(other.name) }
      let player = try context.response { () throws(Failure) in
        try other.player(context, tokenFile: tokens[other.key])
      }
      if let player { players.append(player.playing(in: period)) }
    }
    let comparison = Comparison(players, call[everything] ? .everything : .shared)
    if comparison.games.isEmpty, !context.isExplaining {
      context.messages.report("no game was played by several players; '--all' shows all games")
    }
    let names = comparison.totals.map(\.name)
    let games = try context.output.selected(comparison.games.map { ComparedGame(game: $0, names: names) })
    if [.csv, .tsv, .markdown].contains(context.output.settings.format) {
      try context.output.write(games)
    } else {
      try context.output.write(ComparisonRow(comparison: comparison.keeping(games.map(\.game))))
    }
    if let failure = list.invalidScores { throw failure }
  }

  /// The files of `--with-token-file`, by the player.
  private static func tokenFiles(_ call: Invocation) throws(Failure) -> [String: String] {
    var files: [String: String] = [:]
    for token in call[othersTokens] {
      guard call[others].contains(where: { $0.key == token.key && $0.isAddress }) else {
        throw Failure(
          .usage, "'--with-token-file \(token.name)=…' has no '--with \(token.name)=URL'",
          hint: "a token requires an address")
      }
      files[token.key] = token.location
    }
    return files
  }
}

/// A player and the source of the games: `NAME=FILE|URL`.
struct NamedSource: Sendable {
  let name: String
  let location: String

  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[1].isEmpty else { return nil }
    name = PlayerName.trimmed(parts[0])
    guard !name.isEmpty, PlayerName.key(name) != Wordle.you else { return nil }
    location = parts[1]
  }

  var key: String { PlayerName.key(name) }

  func player(_ context: Context, tokenFile: String?) throws(Failure) -> Player {
    if isAddress {
      let endpoint = try context.endpoint(Wordle.service, at: location, secretIn: tokenFile)
      let games = try WordleClient(endpoint: endpoint).games()
      if let failure = games.invalidScores { context.messages.report("\(name): \(failure.message)") }
      return Player(name, games.valid)
    }
    guard !location.contains("://") else {
      throw Failure(
        .usage, "'\(location)' is neither an address nor a file with scores",
        hint: "an address begins with https://")
    }
    guard let bytes = try File.read(location) else {
      throw Failure(.storage, "cannot read '\(location)': no such file or directory")
    }
    if NamedSource.isJSON(bytes) { return Player(name, try ScoreFile.scores(in: MemorySource(bytes))) }
    let games = try ShareTextReader.games(in: MemorySource(bytes))
    guard !games.isEmpty else {
      throw Failure(
        .usage, "'\(location)' contains neither share texts nor scores as JSON",
        hint: "an address begins with https://")
    }
    return Player(name, games)
  }

  /// An object, or an array that begins with one or is empty. A chat can begin with `[12/03/22, 12:05] Eve: …`.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let first = bytes.lazy.filter { $0 > 0x20 }.prefix(2)
    switch (first.first, first.dropFirst().first) {
    case (UInt8(ascii: "{"), _), (UInt8(ascii: "["), UInt8(ascii: "{")),
      (UInt8(ascii: "["), UInt8(ascii: "]")):
      return true
    default: return false
    }
  }

  var isAddress: Bool {
    ["http://", "https://", "unix:", "demo:", "embedded:"].contains { location.hasPrefix($0) }
  }
}

extension ValueKind where Value == NamedSource {
  static var namedSource: ValueKind {
    ValueKind(
      "NAME=FILE|URL", expects: "a name other than '\(Wordle.you)', '=' and a file or an address",
      completion: .files
    ) { NamedSource($0) }
  }

  static var namedFile: ValueKind {
    ValueKind(
      "NAME=FILE", expects: "a name other than '\(Wordle.you)', '=' and a file", completion: .files
    ) { NamedSource($0) }
  }
}
