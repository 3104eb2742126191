import Command
import HTTP
import System

public enum NBA {
  public static let suite = Suite(
    "nba", "Basketball: teams, games, players, standings",
    discussion: """
      The commands use the live service balldontlie.io, which requires a key. A free one allows five requests per \
      minute: hw counts the requests of all its processes, waits if necessary and reports it. The list of teams is \
      cached for a day, finished seasons forever.

      TEAM is an id, an abbreviation, a full name, a nickname, a city or an unambiguous part of a name, in any case. \
      Of two matches the team that still plays is chosen.

      With --demo or HW_URL=demo: the commands use sample data and no network: the 45 real teams, with invented \
      players and games. 'embedded:' and 'hw serve' have the same data. 'hw serve' requires a key unless it serves \
      sample data.
      """,
    service: service,
    replacements: [
      Replacement("games --vs", "use 'hw nba record TEAM --vs TEAM'"),
      Replacement("games --home", "use '--where home_team.abbreviation=LAL'"),
      Replacement("games --away", "use '--where visitor_team.abbreviation=LAL'"),
      Replacement("teams --division", "use '--where division=NAME'"),
    ],
    backend: { settings, _ throws(Failure) in NBABackend(settings) },
    checks: checks,
    commands: [teams, team, games, players, player, standings, record])

  static let service = Service(
    "nba", address: "https://api.balldontlie.io/v1", limit: .sliding(5, per: .seconds(60)), rate: rate,
    credential: Credential(
      header: "Authorization", setting: "key", variables: ["BALLDONTLIE_API_KEY"], file: keyFile,
      hint: """
        get a free one at https://app.balldontlie.io and put it into HW_NBA_KEY, into a file for --key-file, or into \
        the configuration with 'hw config set nba.key -'; '--demo' needs none
        """,
      embedded: "embedded"),
    reason: "public data; requires a free key")

  static let keyFile = Option(
    "key-file", ValueKind<String>.inputFile, "Read the key from FILE; '-' is standard input",
    details: "The default is HW_NBA_KEY, BALLDONTLIE_API_KEY, or nba.key in the configuration.")
  static let rate = Option(
    "rate", .count(1...100_000), setting: .suites, "Send at most N requests per minute",
    details:
      "Your plan's limit (default 5). All hw processes count together. A server on this machine has no limit."
  )

  static let access: [any Declared] = [keyFile, Service.tokenFile, rate]

  static func client(_ context: Context) throws(Failure) -> NBAClient {
    NBAClient(endpoint: try context.endpoint(service, limit: context.ownLimit(of: service)))
  }
}

extension Context {
  var leagueDay: CalendarDay { Season.americanDay(time.now()) }
}
