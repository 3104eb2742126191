import Command
import Server
import System

/// The nodes suite.
public enum Nodes {
  public static let suite = Suite(
    "nodes", "Lightning nodes: rankings, single nodes, snapshots, differences",
    discussion: """
      Asks mempool.space for the best nodes of the Lightning network. Capacities are satoshis, 100 000 000 of which \
      are a bitcoin; times are unix seconds. The service keeps its answers for ten seconds: asking more often shows \
      nothing new.
      """,
    service: service,
    backend: { settings, _ throws(Failure) in NodesBackend(settings).backend },
    checks: checks,
    commands: [top, show, snapshot, diff, snapshots]
  )

  static let service = Service("nodes", address: "https://mempool.space")

  static let by = Option("by", .choice, default: Ranking.connectivity, "Rank by channels, capacity or age")
  static let language = Option(
    "lang", ValueKind<Language>.language, setting: true, "Show places in a language",
    details: """
      Where a place has no name in it, one of the same language is shown, then the English one, then any. Without it \
      LC_ALL, LC_MESSAGES and LANG decide, as for other programs.
      """)
  static let human = Option(
    "human", setting: true, "Show numbers and times as people say them: 1.2k, 704.4 BTC, 3 days ago")
}

extension Ranking: ChoiceValue {
  var meaning: String {
    switch self {
    case .connectivity: "the most channels first"
    case .liquidity: "the most capacity first"
    case .age: "the longest known first"
    }
  }
}

extension ValueKind where Value == Language {
  static var language: ValueKind {
    ValueKind(
      "LANG", wants: "a language such as \(Language.supported.joined(separator: ", "))",
      show: { $0.tag }
    ) { Language($0) }
  }
}

extension NodeView {
  init(_ call: Invocation, _ context: Context) {
    language = call[Nodes.language] ?? Language(environment: context.environment)
    isHuman = call[Nodes.human]
    time = context.time
  }
}
