import Command
import Output
import System

extension Race {
  static let limit = Option("limit", short: "n", .count(1...100_000), default: 20, "Show at most N races")

  static let historySort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: KeptRace.sortable), "Sort by a field",
    details: "It orders the latest races, as many as --limit says; without it the latest comes first.")

  static let history = Command(
    "history", "List the races that were watched",
    discussion:
      "The latest first. 'hw race watch' keeps each race as it happens, unless it is told not to.",
    options: [limit, historySort],
    output: .rows(KeptRace.self),
    needs: [.store, .list],
    examples: [
      Example("hw race history", "the last twenty"),
      Example("hw race history --json --limit 1", "the last one, for a program"),
    ]
  ) { call, context throws(Failure) in
    let time = context.time
    let races = try RaceHistory(context.races).entries(limit: call[limit])
    let rows = races.map { KeptRace(race: $0, time: time) }
    try context.output.write(call[historySort]?.sorted(rows) ?? rows)
  }

  static let race = Operand(
    "ID", ValueKind<Int>.count(1 ... .max, "ID"), "The number of a race, as 'history' has it")

  static let show = Command(
    "show", "Show a race of the history, event by event",
    discussion: """
      The events as they were watched: a line each, or what 'hw race watch --jsonl' printed. Such a file can be \
      replayed, here or on another machine.
      """,
    operands: [race],
    output: .rows(
      RaceEvent.self, text: "A line for the start, each change of the standings, and the winner."),
    needs: [.store, .report],
    examples: [
      Example(
        "hw serve --race-seconds 1 -- hw race watch -q && hw race show 1 --jsonl",
        "a race as a file would have it"),
      Example("hw race show 999", "one that was not watched", exits: 3),
    ],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let recording = try RaceHistory(context.races).recording(try call[race])
    try RaceReport(output: context.output, messages: context.messages, isBrief: false).write {
      tell throws(Failure) in try tell(recording.events)
    }
  }

  static let statsSort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: BeeRecord.sortable), "Sort by a field",
    details: "Without it the bee with the most wins comes first.")
  static let beeLimit = Option("limit", short: "n", .count(0 ... .max), "Show at most N bees")

  static let stats = Command(
    "stats", "Count the wins of each bee",
    discussion:
      "Over the races of the history that were seen to their finish; provisional winners do not count.",
    options: [statsSort, beeLimit],
    output: .rows(BeeRecord.self),
    needs: [.store, .list],
    examples: [Example("hw race stats", "who wins most")]
  ) { call, context throws(Failure) in
    let wins = try RaceHistory(context.races).wins()
    let (races, time) = (wins.reduce(0) { $0 + $1.wins }, context.time)
    let records = wins.map {
      BeeRecord(
        name: $0.bee, wins: $0.wins, share: Double($0.wins) / Double(races), last: $0.last, time: time)
    }
    let sorted = call[statsSort]?.sorted(records) ?? records
    try context.output.write(sorted.prefix(call[beeLimit] ?? .max))
  }
}

/// What a bee has won.
struct BeeRecord: Row {
  var name: String
  var wins: Int
  var share: Double
  var last: Timestamp
  /// For whoever reads a table, in the time of the wall.
  var time: any TimeKeeper

  static let fields: Fields<BeeRecord> = [
    .text("name", "Name", "what the bee is called", \.name),
    .integer("wins", "Wins", "how many races it has won", \.wins),
    .number("share", "Share", "its part of all wins, 0 to 1") { ($0.share * 1000).rounded() / 1000 }
      .shown { TableCell("\(Int(($0.share * 100).rounded())) %") },
    .time("last", "Last", "when it last won", \.last)
      .shown { TableCell($0.time.local($0.last).minutes) },
  ]
}

/// A race of the history, for a reader with a clock on the wall.
struct KeptRace: Row {
  var race: RaceHistory.Entry
  var time: any TimeKeeper

  static let fields: Fields<KeptRace> = [
    .integer("id", "No.", "the number of the race, for show and replay", \.race.id),
    .time("started", "Started", "when it was watched", \.race.started)
      .shown { TableCell($0.time.local($0.race.started).minutes) },
    .number(
      "duration", "Duration", "the seconds it lasted, or null if that was not learned",
      orNull: \.race.duration),
    .text("winner", "Winner", "the bee in front at the end, or null", orNull: \.race.winner),
    Field(
      Column(
        "end", title: "End", meaning: "how it ended",
        type: .choice(RaceRecording.End.allCases.map(\.rawValue)))
    ) { .text($0.race.end.rawValue) },
    .integer("changes", "Changes", "how often the standings changed", \.race.changes),
    .text("url", "URL", "the service that was watched", \.race.url).hiddenByDefault,
  ]
}
