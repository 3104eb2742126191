import Command
import JSON
import Output
import Server
import System
import Terminal

extension Wordle {
  /// The name of the account's own player.
  static let you = "you"

  static let others = Option(
    "with", each: ValueKind<NamedSource>.namedSource, "Compare with the scores or share texts at FILE or URL",
    details: """
      FILE holds share texts, or scores as JSON; URL is another service like this one, which is asked without a token. \
      May be given several times.
      """)
  static let everything = Option("all", "Show games that only one has played as well")
  static let compare = Command(
    "compare", "Compare players game by game",
    discussion: """
      Shows the account's games beside those of every player that 'hw wordle import' has kept, and of those \
      that --with names. The fewest tries win a game, marked [3/6]; when several have them, it is a tie. X/6 wins \
      nothing. Wins, ties and means are those of the games that are shown.
      """,
    options: [others, everything, since, until, tokenFile],
    output: .one(
      ComparisonRow.self, listing: ComparedGame.self, order: "by number, newest game first",
      text: "The matrix of players and games."),
    needs: [.network, .store],
    examples: [
      Example("hw wordle compare --limit 10", "the ten newest games that several have played"),
      Example(
        "hw wordle scores --json >mine.json; hw wordle compare --with Eve=mine.json", "with somebody's scores"
      ),
      Example("hw wordle compare --json | jq '.players[] | {name, wins}'", "who wins most"),
    ],
    failures: [.storage]
  ) { call, context throws(Failure) in
    let own = try client(context).games(in: period(call))
    var players = [Player(you, own)] + (try Players(context.localData(of: service)).all())
    for other in call[others] {
      players.removeAll { $0.name == other.name }
      players.append(try other.player(context))
    }
    let comparison = Comparison(players, call[everything] ? .everything : .shared)
    if comparison.games.isEmpty {
      context.messages.report("no game that several have played; '--all' shows what anyone has played")
    }
    let names = comparison.totals.map(\.name)
    let games = try context.output.selected(comparison.games.map { ComparedGame(game: $0, names: names) })
    try context.output.write(ComparisonRow(comparison: comparison.keeping(games.map(\.game))))
  }
}

/// A player and the source of the games: `NAME=FILE|URL`.
struct NamedSource: Sendable {
  let name: String
  let location: String

  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts[0].isEmpty, parts[0] != Wordle.you, !parts[1].isEmpty else { return nil }
    name = parts[0]
    location = parts[1]
  }

  func player(_ context: Context) throws(Failure) -> Player {
    if isAddress {
      return Player(name, try WordleClient(endpoint: context.endpoint(Wordle.service, at: location)).games())
    }
    guard let bytes = try File.read(location) else {
      throw Failure(.storage, "cannot read '\(location)': no such file")
    }
    let isJSON = bytes.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } ?? false
    if isJSON { return Player(name, try ScoreFile.scores(in: MemorySource(bytes))) }
    return Player(name, try ShareTextReader.games(in: MemorySource(bytes)))
  }

  private var isAddress: Bool {
    ["http://", "https://", "unix:", "demo:", "embedded:"].contains { location.hasPrefix($0) }
  }
}

extension ValueKind where Value == NamedSource {
  static var namedSource: ValueKind {
    ValueKind(
      "NAME=FILE|URL", wants: "a name other than '\(Wordle.you)', '=' and a file or an address",
      completion: .files,
      show: { "\($0.name)=\($0.location)" }
    ) { NamedSource($0) }
  }
}
