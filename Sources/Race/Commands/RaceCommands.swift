import Command
import HTTP
import Output
import Server
import System

/// The race suite.
public enum Race {
  public static let suite = Suite(
    "race", "Bee races: live standings, CAPTCHAs, history, replay",
    discussion: """
      Follows a race of bees. The service takes 30 calls in each minute by the clock, from everybody together: all hw \
      processes share a ledger of their calls, and none goes over the limit. It may want a CAPTCHA at any time.
      """,
    service: RaceClient.service,
    backend: { settings, options throws(Failure) in
      try RaceBackend(settings, RaceServerSettings(options)).backend
    },
    serverOptions: RaceServerSettings.options,
    databases: [RaceBackend.migrations, RaceHistory.migrations],
    checks: checks,
    commands: [duration, status, watch, captcha, history, show, replay, stats, forget]
  )

  static let duration = Command(
    "duration", "Show how long the race lasts",
    options: [Service.tokenFile],
    output: .one(RaceLength.self, text: "The seconds, a line."),
    needs: [.network],
    examples: [
      Example("hw race duration", "its seconds: 26"),
      Example("hw race duration --json", "as the service has it"),
    ],
    failures: [.captcha, .invalidData]
  ) { call, context throws(Failure) in
    let length = try RaceClient(endpoint: context.endpoint(RaceClient.service), time: context.time).duration()
    try context.output.write(RaceLength(length: length))
  }

  static let status = Command(
    "status", "Show the standings now",
    discussion: "One request: the bees in the order of the race. An empty list is a race that nobody is in.",
    options: [Service.tokenFile],
    output: .list(Standing.self, order: "by position"),
    needs: [.network],
    examples: [
      Example("hw race status", "places, medals, names and colours"),
      Example("hw race status --json | head -c 60", "for a program"),
    ],
    failures: [.captcha, .invalidData]
  ) { call, context throws(Failure) in
    let client = RaceClient(endpoint: try context.endpoint(RaceClient.service), time: context.time)
    try context.output.write(Standing.all(try client.standings()))
  }
}

extension Race {
  static let ofService = Option(
    "service", ValueKind<String>.text("TEXT"), "Show the races of services whose address contains TEXT")

  static let history = Command(
    "history", "List the races that were watched",
    discussion:
      "The latest first. 'hw race watch' keeps each race as it happens, unless it is told not to; a race of 'demo:' is not kept.",
    options: [ofService],
    output: .list(WatchedRace.self, order: "by time, latest first", limit: 20),
    needs: [.store],
    examples: [
      Example("hw race history", "the last twenty"),
      Example("hw race history --json --limit 1", "the last one, for a program"),
    ]
  ) { call, context throws(Failure) in
    let time = context.time
    let races = try RaceHistory(context.raceStore).entries()
    try context.output.write(
      races.filter { RaceHistory.matches($0.url, call[ofService]) }.map { WatchedRace(race: $0, time: time) })
  }

  static let race = Operand(
    "ID", ValueKind<RaceReference>.raceReference, "The number of a race, as 'history' has it, or 'latest'")

  static let show = Command(
    "show", "Show a race of the history, event by event",
    discussion: """
      The events as they were watched: a line each, or what 'hw race watch --jsonl' printed. Such a file can be \
      replayed, here or on another machine. In text, a line of bars shows the positions of each bee.
      """,
    operands: [race],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."),
    needs: [.store],
    examples: [
      Example(
        "hw serve --race-seconds 1 -- hw race watch -q && hw race show 1 --jsonl",
        "a race as a file would have it"),
      Example("hw serve --race-seconds 1 -- hw race watch -q && hw race show latest", "the last one"),
      Example("hw race show 999", "one that was not watched", exits: 3),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let history = try RaceHistory(context.raceStore)
    let recording = try history.recording(call[race].id(in: history))
    try RaceReport(
      output: context.output, messages: context.messages, isBrief: false, showsPositions: true
    ).write { report throws(Failure) in try report(recording.events) }
  }

  static let stats = Command(
    "stats", "Count the wins of each bee",
    discussion:
      "Over the races of the history that were seen to their finish; provisional winners do not count.",
    options: [ofService],
    output: .list(BeeRecord.self, order: "by wins, most wins first"),
    needs: [.store],
    examples: [Example("hw race stats", "who wins most")]
  ) { call, context throws(Failure) in
    let records = try RaceHistory(context.raceStore).records(of: call[ofService])
    let (wins, time) = (records.reduce(0) { $0 + $1.wins }, context.time)
    try context.output.write(
      records.map { BeeRecord(record: $0, share: Double($0.wins) / Double(max(1, wins)), time: time) })
  }
}
