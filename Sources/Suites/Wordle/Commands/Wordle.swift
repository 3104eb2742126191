import Command
import Server
import System

public enum Wordle {
  public static let suite = Suite(
    "wordle", "Wordle scores: tiles, cards, statistics, comparison",
    discussion: """
      Tiles are colored as in Wordle: green for a letter in the right place, yellow for a letter elsewhere in the \
      word, black for a letter that is not in the word. A letter is colored at most as often as the word contains \
      it, green before yellow.

      The commands use a local account ('embedded:'). With a token, in HW_WORDLE_TOKEN or --token-file, they use the \
      account at the live service wordle.shareup.fun. --url selects another service. With --demo or HW_URL=demo: \
      they use sample data and no network. The id of a score is Wordle's number of the game.
      """,
    service: service,
    replacements: [
      Replacement("export", "use 'hw wordle scores --json'"),
      Replacement("login", "set HW_WORDLE_TOKEN, or run 'hw config set wordle.token -'"),
      Replacement("today", "use 'hw wordle scores --since today'"),
      Replacement("delete --all", "use 'hw wordle reset': it deletes every score of the account"),
      Replacement("share --clipboard", "pipe the text into wl-copy or xclip"),
    ],
    backend: { settings, options throws(Failure) in
      try WordleBackend(settings) { ScoreLimits(options, isPublic: settings.isPublic, for: $0) }
    },
    serverSettings: ScoreLimits.settings,
    databases: [WordleBackend.migrations, Players.migrations],
    personalData: .wordle,
    checks: checks,
    commands: [
      tiles, scores, score, add, delete, reset, share, importing, players, rename, stats, ranking, compare,
    ]
  )

  static let service = Service(
    "wordle", address: "embedded:", live: "https://wordle.shareup.fun",
    credential: Credential(
      header: "X-Authorization", setting: "token", file: tokenFile,
      hint: "set HW_WORDLE_TOKEN, or use --token-file FILE"),
    reason: "scores belong to an account")

  static let tokenFile = Service.tokenFile
  static let palette = Setting(
    "palette", .choice, default: TileColors.Palette.standard, "The colors of the tiles")
  static let background = Setting(
    "background", .choice, default: TileColors.Background.dark, "The background of the tiles")
  static let scoreIDs = WordSource(of: service) {
    endpoint throws(Failure) in
    try WordleClient(endpoint: endpoint).scores().valid.map { Choice("\($0.id)", "\($0.word), \($0.date)") }
  }
  static let id = Operand(
    "ID", ValueKind<ScoreReference>.scoreReference.completed(with: scoreIDs),
    "The number of the game, or 'latest'")

  static func colors(_ call: Invocation) -> TileColors { TileColors(call[palette], on: call[background]) }

  static let you = PlayerName.you

  static func client(_ context: Context) throws(Failure) -> WordleClient {
    WordleClient(endpoint: try context.endpoint(service))
  }
}
