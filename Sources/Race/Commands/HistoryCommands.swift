import Command
import Output
import System

extension Race {
  static let limit = Option("limit", short: "n", .count(1...100_000), default: 20, "Show at most N races")

  static let historySort = Option(
    "sort", ValueKind<SortOrder>.sortOrder(by: WatchedRace.sortable), "Sort by a field",
    details: "Without it the latest comes first.")

  static let history = Command(
    "history", "List the races that were watched",
    discussion:
      "The latest first. 'hw race watch' keeps each race as it happens, unless it is told not to.",
    options: [limit, historySort],
    output: .rows(WatchedRace.self),
    needs: [.store, .list],
    examples: [
      Example("hw race history", "the last twenty"),
      Example("hw race history --json --limit 1", "the last one, for a program"),
    ]
  ) { call, context throws(Failure) in
    let time = context.time
    let rows = try RaceHistory(context.raceStore).entries().map { WatchedRace(race: $0, time: time) }
    try context.output.write((call[historySort]?.sorted(rows) ?? rows).prefix(call[limit]))
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
    let recording = try RaceHistory(context.raceStore).recording(try call[race])
    try RaceReport(output: context.output, messages: context.messages, isBrief: false).write {
      report throws(Failure) in try report(recording.events)
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
    let wins = try RaceHistory(context.raceStore).wins()
    let (races, time) = (wins.reduce(0) { $0 + $1.wins }, context.time)
    let records = wins.map {
      BeeRecord(
        name: $0.bee, wins: $0.wins, share: Double($0.wins) / Double(races), last: $0.last, time: time)
    }
    let sorted = call[statsSort]?.sorted(records) ?? records
    try context.output.write(sorted.prefix(call[beeLimit] ?? .max))
  }
}
