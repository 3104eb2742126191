import Command
import Output
import System

extension Race {
  static let limit = Option("limit", short: "n", .count(1...100_000), default: 20, "Show at most N races")

  static let history = Command(
    "history", "List the races that were watched",
    discussion:
      "The latest first. 'hw race watch' keeps each race as it happens, unless --no-history says otherwise.",
    options: [limit],
    output: .rows(RaceHistory.Entry.self),
    needs: [.store],
    examples: [
      Example("hw race history", "the last twenty"),
      Example("hw race history --json --limit 1", "the last one, for a program"),
    ]
  ) { call, context throws(Failure) in
    try context.output.write(RaceHistory(context.races).entries(limit: call[limit]))
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
    needs: [.store],
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

  static let stats = Command(
    "stats", "Count the wins of each bee",
    discussion:
      "Over the races of the history that were seen to their finish; provisional winners do not count.",
    output: .rows(BeeRecord.self),
    needs: [.store],
    examples: [Example("hw race stats", "who wins most")]
  ) { call, context throws(Failure) in
    let wins = try RaceHistory(context.races).wins()
    let races = wins.reduce(0) { $0 + $1.wins }
    try context.output.write(
      wins.lazy.map {
        BeeRecord(name: $0.bee, wins: $0.wins, share: Double($0.wins) / Double(races), last: $0.last)
      }
    )
  }
}

/// What a bee has won.
struct BeeRecord: Row {
  var name: String
  var wins: Int
  var share: Double
  var last: Int

  static let fields: Fields<BeeRecord> = [
    .text("name", "Name", "what the bee is called", \.name),
    .integer("wins", "Wins", "how many races it has won", \.wins),
    Field(Column("share", title: "Share", meaning: "its part of all wins, 0 to 1", type: .number)) {
      .number(($0.share * 1000).rounded() / 1000)
    }
    .shown { TableCell("\(Int(($0.share * 100).rounded())) %") },
    Field(Column("last", title: "Last", meaning: "when it last won", type: .time)) {
      .integer(Int64($0.last))
    }
    .shown { TableCell(Timestamp(seconds: Int64($0.last)).inWords) },
  ]
}

extension RaceHistory.Entry: Row {
  static let fields: Fields<RaceHistory.Entry> = [
    .integer("id", "No.", "the number of the race, for show and replay", \.id),
    Field(Column("started", title: "Started", meaning: "when it was watched", type: .time)) {
      .integer(Int64($0.started))
    }
    .shown { TableCell(Timestamp(seconds: Int64($0.started)).inWords) },
    Field(
      Column(
        "duration", title: "Duration", meaning: "the seconds it lasted, or null if that was not learned",
        type: .number, isOptional: true)
    ) { $0.duration.map(Cell.number) ?? .null },
    .text("winner", "Winner", "the bee in front at the end, or null", orNull: \.winner),
    Field(
      Column(
        "end", title: "End", meaning: "how it ended",
        type: .choice(RaceRecording.End.allCases.map(\.rawValue)))
    ) { .text($0.end.rawValue) },
    .integer("changes", "Changes", "how often the standings changed", \.changes),
    .text("url", "URL", "the service that was watched", \.url).onRequest,
  ]
}

extension Timestamp {
  /// `2024-03-01 12:30 UTC`
  fileprivate var inWords: String {
    let minute = seconds / 60
    let (hours, minutes) = (minute / 60 % 24, minute % 60)
    func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(CalendarDay(daysSinceEpoch: Int(seconds / 86_400))) \(padded(hours)):\(padded(minutes)) UTC"
  }
}
