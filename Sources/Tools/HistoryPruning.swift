import Command
import Output
import Server
import Store
import System

struct HistoryPruning: Sendable {
  let suites: [Suite]
  let store: Store

  /// Removes entries that ended before `time`, and the names of deleted users from all others.
  func run(before time: Timestamp, isDryRun: Bool = false) throws(Failure) -> [PrunedRow] {
    let table = try store.contains(UserTable.migrations) ? UserTable(store) : nil
    var users: Set<String> = []
    func isUser(_ name: String) throws(Failure) -> Bool {
      // A user may have been added meanwhile.
      if !users.contains(name) { users = Set(try table?.all().map(\.user.name) ?? []) }
      return users.contains(name)
    }
    let hasUsers = try table?.isUnused == false
    let limit = PersonalData.Limit(time, isUser: hasUsers ? isUser : nil, isDryRun: isDryRun)
    var rows: [PrunedRow] = []
    for suite in suites {
      guard let pruned = try suite.personalData?.prune(store, limit) else { continue }
      rows.append(PrunedRow(suite: suite.name, pruned: pruned))
    }
    guard let table, !isDryRun else { return rows }
    for name in try table.former(before: time) {
      var remains: [String] = []
      for suite in suites { remains += try suite.personalData?.remains(store, name) ?? [] }
      if remains.isEmpty { try table.forget(name) }
    }
    return rows
  }
}

extension Toolbox {
  static let olderThan = Option(
    "older-than", ValueKind<DayValue>.day, "Remove entries that ended before DAY",
    details: "90d is ninety days ago. A day begins at midnight in UTC.")

  private static let setupWithHistory = "hw users add mia >/dev/null; "

  static let storePrune = Command(
    "prune", "Remove old entries of the history",
    discussion: """
      Removes rentals and changes of bikes from the history, and the names of deleted users from entries of any age. \
      Open rentals, bikes, users and the names of members who know a PIN stay. Servers can use the store meanwhile. \
      'hw serve' does the same once a day with the setting serve.history-days.
      """,
    options: [olderThan, serveStore, Confirmation.yes, Confirmation.dryRun],
    output: .rows(PrunedRow.self),
    needs: [.store, .loss],
    examples: [
      Example(
        "hw store prune --older-than 90d --dry-run", "count the entries that would be removed",
        after: setupWithHistory),
      Example(
        "hw store prune --older-than 90d --yes", "keep the history of three months", after: setupWithHistory),
    ],
    failures: [.notFound, .connection, .unauthorized]
  ) { call, context throws(Failure) in
    let today = WallTime(context.time.now()).day
    guard let day = call[olderThan]?.day(today: today), day <= today else {
      throw Failure(
        .usage, "'prune' requires '--older-than' with a day that is not in the future",
        hint: "'--older-than 90d' keeps the history of ninety days")
    }
    let store = try context.chosenStore(call)
    // The name of the store may be mistyped.
    guard try context.program.hasDatabase(in: store) else { throw .noDatabase }
    let isDryRun = call[Confirmation.dryRun]
    if !isDryRun { try context.confirm("Remove the history before \(day)?") }
    let pruning = HistoryPruning(suites: context.program.suites, store: store)
    let time = Timestamp(seconds: Int64(day.daysSinceEpoch) * 86_400)
    try context.output.write(pruning.run(before: time, isDryRun: isDryRun))
  }

  static let serveHistoryDays = Setting(
    "history-days", ValueKind<Int>.count(1...36_500), scope: .serve, "Remove history entries after N days",
    details: "Once a day, as 'hw store prune' does. If it is not set, the history is kept.")
}

struct PrunedRow: Row {
  let suite: String
  let pruned: PersonalData.Pruned

  static let fields: Fields<PrunedRow> = [
    .text("suite", "Suite", "the suite with the history") { $0.suite },
    .integer("entries", "Entries", "the number of entries that were removed") { $0.pruned.entries },
    .integer("users", "Users", "the number of deleted users whose names were removed") {
      $0.pruned.names.count
    },
  ]
}

/// Prunes the history of a running server once a day, on a thread of its own.
final class HistoryUpkeep {
  private static let interval = Duration.seconds(86_400)
  /// Removes the entries that ended before a time; the result is a line to report, or nil.
  private let work: BackgroundWork<Timestamp, String?>
  private let age: Int64
  private let report: (String) -> Void
  private var nextRun = Duration.zero

  init(_ pruning: HistoryPruning, days: Int, report: @escaping (String) -> Void) throws(Failure) {
    age = Int64(days) * 86_400
    self.report = report
    work = try BackgroundWork { time in
      do throws(Failure) {
        let count = try pruning.run(before: time).map(\.pruned.entries).reduce(0, +)
        return count == 0 ? nil : "removed from the history: \(count), before \(time.utc)"
      } catch {
        return "the history was not pruned: \(error.message)"
      }
    }
  }

  private(set) var isRunning = false

  func tick(_ time: any TimeKeeper) {
    if let result = work.next() {
      isRunning = false
      if let result { report(result) }
    }
    let now = time.uptime()
    guard now >= nextRun else { return }
    nextRun = now + HistoryUpkeep.interval
    isRunning = true
    work.submit(Timestamp(seconds: time.now().seconds - age))
  }
}
