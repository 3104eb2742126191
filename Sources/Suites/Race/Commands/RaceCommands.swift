import Command
import HTTP
import Output
import Server
import System

public enum Race {
  public static let suite = Suite(
    "race", "Bee races: live standings, CAPTCHAs, history",
    discussion: """
      The service accepts 30 requests per calendar minute from all clients together. All hw processes together stay \
      below that. The service can require a CAPTCHA at any time.

      The commands use the live service. With --demo or HW_URL=demo: they use sample data and no network.
      """,
    service: RaceClient.service,
    replacements: [
      Replacement("replay", "use 'hw race show --play'"),
      Replacement("status --watch", "use 'hw race watch'"), Replacement("winner", "use 'hw race watch -q'"),
      Replacement("result", "use 'hw race watch -q'"),
      Replacement("results", "use 'hw race history'"), Replacement("log", "use 'hw race history'"),
      Replacement("watch --interval", "the interval follows the rate limit; '-v' prints the schedule"),
      Replacement("watch --save", "use 'hw race watch --jsonl >FILE'"),
    ],
    backend: { settings, options throws(Failure) in
      try RaceBackend(settings, RaceServerSettings(options))
    },
    serverOptions: RaceServerSettings.options,
    databases: [RaceBackend.migrations, RaceHistory.migrations],
    checks: checks,
    commands: [duration, status, watch, captcha, history, show, stats, delete])

  static let duration = Command(
    "duration", "Show the length of the race",
    options: [Service.tokenFile],
    output: .one(RaceLength.self, text: "The number of seconds."),
    needs: [.network],
    examples: [
      Example("hw race duration", "the number of seconds"),
      Example("hw race duration --json", "as JSON"),
    ],
    failures: [.captcha]
  ) { call, context throws(Failure) in
    try context.output.write(RaceLength(length: client(context).start().length))
  }

  static let status = Command(
    "status", "Show the standings now",
    discussion: "Sends one request. The list is empty if the race has no bees.",
    options: [Service.tokenFile],
    output: .list(StandingRow.self, order: "by position").schemaVersion(2),
    needs: [.network],
    examples: [
      Example("hw race status", "positions, medals, names and colors"),
      Example("hw race status --json | jq -r '.[0].name'", "the name of the leader"),
    ],
    failures: [.captcha]
  ) { call, context throws(Failure) in
    try context.output.write(StandingRow.all(try client(context).standings().bees))
  }

  static func client(_ context: Context) throws(Failure) -> RaceClient {
    RaceClient(endpoint: try context.endpoint(RaceClient.service), time: context.time)
  }

  static let ofService = Option(
    "service", ValueKind<String>.text("TEXT"), "Select services whose address contains TEXT")

  private static let noRaces =
    "no races; those of 'demo:' are not saved, those of 'hw serve -- hw race watch' are"

  static let history = Command(
    "history", "List the watched races",
    discussion:
      "'hw race watch' adds each race, 'hw race watch --no-history' does not. Races of 'demo:' are not added.",
    options: [ofService],
    output: .list(WatchedRace.self, order: "by time, latest first", limit: 20),
    needs: [.store],
    examples: [
      Example("hw race history", "the latest 20 races", after: raceToShow),
      Example("hw race history --json --limit 1", "the latest race"),
    ]
  ) { call, context throws(Failure) in
    let time = context.time
    let races = try context.readableRaceHistory().entries()
      .filter { RaceHistory.matches($0.url, call[ofService]) }
    context.output.noteIfEmpty = noRaces
    if Set(races.map(\.url)).count > 1 { context.output.alsoShown = "url" }
    try context.output.write(races.map { WatchedRace(race: $0, time: time) })
  }

  static let stats = Command(
    "stats", "Show wins, podiums and mean positions of bees",
    discussion:
      """
      Counts the races of the history whose finish was watched, each service separately: the table shows its URL if \
      there are several. Provisional winners do not count. A race of several watchers counts once if the service sends \
      its id, as 'hw serve' does.
      """,
    options: [ofService],
    output: .list(BeeRecord.self, order: "by wins, most wins first").schemaVersion(3),
    needs: [.store],
    examples: [Example("hw race stats", "the bees with the most wins first", after: raceToShow)]
  ) { call, context throws(Failure) in
    let records = try context.readableRaceHistory().records(of: call[ofService])
    context.output.noteIfEmpty = noRaces
    let wins = Dictionary(grouping: records, by: \.url).mapValues { $0.reduce(0) { $0 + $1.wins } }
    if wins.count > 1 { context.output.alsoShown = "url" }
    try context.output.write(
      records.map {
        BeeRecord(record: $0, share: Double($0.wins) / Double(wins[$0.url, default: 1]), time: context.time)
      })
  }
}
