import Command
import Server
import System

/// The Wordle suite.
public enum Wordle {
  public static let suite = Suite(
    "wordle", "Wordle scores: tiles, cards, statistics, comparison",
    discussion: """
      Colours the letters of a guess as Wordle does: green in the right place, yellow elsewhere in the word, black \
      not in it. A letter counts as often as it stands in the word, and the green ones are dealt out first.

      Scores are kept in an account on this machine until there is a token, in HW_WORDLE_TOKEN or in the file that \
      --token-file names: then it is the account at wordle.shareup.fun. --url names another place in either case. A \
      score goes by its number, which is Wordle's own.
      """,
    service: service,
    backend: { settings, _ throws(Failure) in try WordleBackend(settings).backend },
    databases: [WordleBackend.migrations, Players.migrations],
    checks: checks,
    commands: [tiles, scores, score, add, delete, reset, share, importing, stats, ranking, compare, hint]
  )

  static let service = Service(
    "wordle", address: "embedded:", live: "https://wordle.shareup.fun",
    credential: Credential(
      header: "X-Authorization", setting: "token", file: tokenFile,
      hint: "set HW_WORDLE_TOKEN, or name a file that holds it with --token-file"))

  static let tokenFile = Service.tokenFile
  static let palette = Option(
    "palette", .choice, default: TileColors.Palette.standard, setting: true, "The colours of the tiles")
  static let background = Option(
    "background", .choice, default: TileColors.Background.dark, setting: true,
    "What the tiles are to be seen on")
  static let scoreIDs = WordSource("score-ids", "the numbers of the scores", of: service) {
    endpoint throws(Failure) in
    try WordleClient(endpoint: endpoint).scores().valid.map { Choice("\($0.id)", "\($0.word), \($0.date)") }
  }
  static let id = Operand(
    "ID", ValueKind<ScoreReference>.scoreReference.completed(with: scoreIDs),
    "Wordle's number of the game, or 'latest'")

  static func colors(_ call: Invocation) -> TileColors { TileColors(call[palette], on: call[background]) }

  /// The name of the account's own player.
  static let you = "you"

  static func client(_ context: Context) throws(Failure) -> WordleClient {
    WordleClient(endpoint: try context.endpoint(service))
  }
}
