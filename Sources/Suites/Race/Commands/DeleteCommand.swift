import Command
import Output
import System

extension Race {
  static let deleted = Operand(
    rest: "ID", ValueKind<RaceReference>.raceReference, "The ids of races in the history, or 'latest'")
  static let keep = Option("keep", .count(0 ... .max), "Delete all but the latest N races")

  static let delete = Command(
    "delete", "Delete races from the history",
    discussion: """
      Deletes the given races, or with --keep all but the latest N, and prints them. If an id does not exist, \
      nothing is deleted. On a terminal the command asks for confirmation.
      """,
    usage: ["ID...", "--keep N"],
    operands: [deleted], options: [keep, Confirmation.yes, Confirmation.dryRun],
    exclusions: [Exclusion(keep, deleted)],
    output: .rows(Deleted<WatchedRace>.self, text: "One line per race."),
    needs: [.store, .loss],
    examples: [Example("hw race delete --keep 100 --yes", "keep the latest 100 races")],
    failures: [.notFound]
  ) { call, context throws(Failure) in
    let history = try context.readableRaceHistory()
    let races = try racesToDelete(call, history)
    let (time, isDryRun) = (context.time, call[Confirmation.dryRun])
    var rows = races
    let count = races.count == 1 ? "race \(races[0].id)" : "\(races.count) races"
    if !isDryRun, !races.isEmpty {
      try context.confirmIfInteractive("Delete \(count)?")
      rows = try history.delete(races)
    }
    try context.output.write(
      rows.map { Deleted(WatchedRace(race: $0, time: time), "race \($0.id)", isDryRun: isDryRun) })
    let gone = Set(races.map(\.id)).subtracting(rows.map(\.id)).sorted()
    if !call.isGiven(keep), !gone.isEmpty { throw notInHistory(gone, hint: "another process has deleted it") }
  }

  private static func notInHistory(_ ids: [Int], hint: String) -> Failure {
    let list = ids.map(String.init).joined(separator: ", ")
    return Failure(
      .notFound,
      ids.count == 1 ? "race \(list) is not in the history" : "races \(list) are not in the history",
      hint: hint)
  }

  private static func racesToDelete(
    _ call: Invocation, _ history: RaceHistory
  ) throws(Failure) -> [RaceHistory.Entry] {
    let named = try call[deleted]
    let entries = try history.entries()
    if let count = call[keep] { return Array(entries.dropFirst(count)) }
    guard !named.isEmpty else {
      throw Failure(.usage, "missing operand ID", hint: "name races, or use '--keep N'")
    }
    var ids: Set<Int> = []
    for race in named { ids.insert(try race.id(in: history)) }
    let missing = ids.subtracting(entries.map(\.id)).sorted()
    guard missing.isEmpty else {
      throw notInHistory(missing, hint: "nothing was deleted; 'hw race history' lists the races")
    }
    return entries.filter { ids.contains($0.id) }
  }
}
