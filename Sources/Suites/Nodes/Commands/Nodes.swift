import Command
import Output
import Server
import System

/// The nodes suite.
public enum Nodes {
  public static let suite = Suite(
    "nodes", "Lightning nodes: rankings, single nodes, snapshots, differences",
    discussion: """
      The commands use the live service mempool.space. Capacities are in satoshis (100 000 000 satoshis are one \
      bitcoin), times in unix seconds. The service caches its responses for ten seconds, so more frequent requests \
      return nothing new.

      With --demo or HW_URL=demo: the commands use sample data and no network.
      """,
    service: service,
    replacements: [
      Replacement("--rank-by", "use '--by'"),
      Replacement("snapshots --keep", "use 'hw nodes snapshot --keep N'"),
      Replacement("snapshot --file", "use 'hw nodes top --json >FILE'"), Replacement("top --chart"),
      Replacement("top --country", "use --where country=CODE"),
    ],
    backend: { settings, _ throws(Failure) in NodesBackend(settings).backend },
    checks: checks,
    commands: [top, show, search, stats, snapshot, diff, snapshots]
  )

  static let service = Service(
    "nodes", address: "https://mempool.space", reason: "public data, without an account")

  static let by = Option(
    "by", .choice, default: NodeRanking.connectivity, "Rank by channels, capacity or age")
  static let network = Option(
    "network", .choice, default: BitcoinNetwork.mainnet, setting: .suites, "Choose the Bitcoin network",
    details: "The service has the other networks below the paths /testnet and /signet.")
  static let language = Option(
    "lang", ValueKind<Language>.language, setting: .suites, "Show place names in LANG",
    details: """
      If a place has no name in LANG, a variant of the language is used, then English, then a language of the same \
      script. By default tables use the language of LC_ALL, LC_MESSAGES or LANG. Other formats use English, so that \
      the output of a script is the same everywhere.
      """)
  static let languages = WordSource { _, _ in
    Language.supported.map { Choice($0, "") }
  }
  static let human = Option(
    "human", setting: .suites, "Print human-readable numbers and times",
    details: "Examples: 1.2k, 704.4 BTC, 3 days ago.")
}

extension NodeRanking: ChoiceValue {
  var meaning: String {
    switch self {
    case .connectivity: "the most channels first"
    case .liquidity: "the most capacity first"
    case .age: "the longest known first"
    }
  }
}

extension BitcoinNetwork: ChoiceValue {
  var meaning: String {
    switch self {
    case .mainnet: "the network with real value"
    case .testnet: "the public test network"
    case .signet: "the test network with signed blocks"
    }
  }
}

extension ValueKind where Value == Language {
  static var language: ValueKind {
    ValueKind(
      "LANG", expects: "a language such as \(Language.supported.joined(separator: ", "))",
      completion: .words(Nodes.languages)
    ) { Language($0) }
  }
}

extension NodeView {
  init(_ call: Invocation, _ context: Context) {
    // What a program reads depends on the command line and the settings, not on the locale of a terminal.
    let fallback: Language =
      switch context.output.settings.format {
      case .json, .jsonl, .csv, .tsv: .english
      default: Language(environment: context.environment)
      }
    self.init(language: call[Nodes.language] ?? fallback, isHuman: call[Nodes.human], time: context.time)
  }

  /// For rows without places.
  init(human: Bool, _ context: Context) {
    self.init(language: .english, isHuman: human, time: context.time)
  }
}
