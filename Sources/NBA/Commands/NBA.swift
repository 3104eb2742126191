import Command
import HTTP
import System

/// The NBA suite.
public enum NBA {
  public static let suite = Suite(
    "nba", "Basketball: teams, games, players, standings",
    discussion: """
      Asks balldontlie.io, which wants a key (a free one will do) and takes five requests a minute on the free plan: \
      'hw' counts them over all its processes, waits where it must and says so. The list of teams is kept for a day, a \
      season that is over for good.

      TEAM is an id, an abbreviation, a full name, a nickname, a city or an unambiguous part of a name, in any case; of \
      two that fit, the one that still plays.

      'demo:' and 'embedded:' answer with the 45 teams as they are, and players and games that are made up. So does \
      'hw serve', which wants a key as the service does; 'free', 'all-star' and 'goat' are keys with the limits of \
      those plans, 5, 60 and 600 requests a minute, any other has none.
      """,
    service: service,
    backend: { settings, _ throws(Failure) in NBABackend(settings).backend },
    checks: checks,
    commands: [teams, team, games, players, player, standings, record]
  )

  static let service = Service(
    "nba", address: "https://api.balldontlie.io/v1", limit: .sliding(5, per: .seconds(60)), rate: rate,
    credential: Credential(
      header: "Authorization", setting: "key", variables: ["BALLDONTLIE_API_KEY"], file: keyFile,
      hint: """
        get a free one at https://app.balldontlie.io and put it into HW_NBA_KEY, into a file for --key-file, or into the \
        configuration with 'hw config set nba.key -'; '--demo' needs none
        """,
      embedded: "embedded"))

  static let keyFile = Option(
    "key-file", ValueKind<String>.file, "Read the key from FILE; '-' is standard input",
    details:
      "Without it the key is that of HW_NBA_KEY, of BALLDONTLIE_API_KEY, or nba.key in the configuration.")
  static let rate = Option(
    "rate", .count(1...100_000), setting: true, "Keep to N requests a minute, your plan's limit",
    details: """
      Without it 5, those of the free plan; a server on this machine is asked as fast as it answers. All processes of \
      'hw' count together.
      """)
  static let utc = Option("utc", setting: true, "Show times in UTC, not in the local zone")

  /// The options of every command of the suite.
  static let access: [any Declared] = [keyFile, Service.tokenFile, rate]

  static func client(_ call: Invocation, _ context: Context) throws(Failure) -> NBAClient {
    NBAClient(endpoint: try context.endpoint(service, limit: context.ownLimit(of: service)))
  }
}

extension Context {
  func wallClock(utc: Bool) -> @Sendable (Timestamp) -> WallTime {
    let time = time
    return { instant in utc ? WallTime(instant, zone: 0) : time.local(instant) }
  }

  func today(utc: Bool) -> CalendarDay { wallClock(utc: utc)(time.now()).day }
}
