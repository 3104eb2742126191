import Command
import Output
import Server
import System

public enum Nodes {
  public static let suite = Suite(
    "nodes", "Lightning nodes: rankings, single nodes, snapshots, differences",
    discussion: """
      The commands use the live service mempool.space, which caches its responses for ten seconds. Capacities are in \
      satoshis (100 000 000 are one bitcoin), times in unix seconds; tables show BTC and local time.

      With --demo or HW_URL=demo: the commands use sample data and no network.
      """,
    service: service,
    replacements: [
      Replacement("watch", "use 'hw nodes top --watch 60'"),
      Replacement("alert", "run 'hw nodes snapshot --diff' by cron: its status is 1 after a change"),
      Replacement("search --alias", "write 'hw nodes search TEXT'"),
      Replacement("top --country", "use --where country=CODE"),
    ],
    backend: { settings, _ throws(Failure) in NodesBackend(settings) },
    checks: checks,
    commands: [top, show, search, snapshot, diff, snapshots])

  static let service = Service(
    "nodes", address: "https://mempool.space", reason: "public data, without an account")

  static let by = Option(
    "by", .choice, default: NodeRanking.connectivity, "Rank by channels, capacity or age")
  static let language = Option(
    "lang", ValueKind<Language>.language, setting: .suites, "Show place names in LANG",
    details: """
      Place names without a translation fall back to English. By default tables use the language of your locale, \
      other formats English.
      """)
  static let human = Option(
    "human", setting: .suites, "Print human-readable numbers and times",
    details: "Examples: 1.2k, 704.4, 3 days ago.")
}

extension NodeRanking: ChoiceValue {
  var meaning: String {
    switch self {
    case .connectivity: "most channels first"
    case .liquidity: "most capacity first"
    case .age: "oldest first"
    }
  }
}

extension ValueKind where Value == Language {
  static var language: ValueKind {
    ValueKind(
      "LANG", expects: "a language such as \(Language.supported.joined(separator: ", "))",
      completion: .words(WordSource { _, _ in Language.supported.map { Choice($0, "") } })
    ) { Language($0) }
  }
}

extension NodeView {
  init(_ call: Invocation, _ context: Context, in language: Language? = nil) throws(Failure) {
    let format = context.output.settings.format ?? .table
    if call.isGiven(Nodes.human), !format.isForPeople {
      throw Failure(.usage, "'--human' has no effect on \(format.rawValue)", hint: "remove one of them")
    }
    // The output for programs depends on the command line and the settings, not on the locale of a terminal.
    let fallback = format.isForPeople ? Language(environment: context.environment) : .english
    self.init(language: language ?? fallback, isHuman: call[Nodes.human], time: context.time)
  }
}
