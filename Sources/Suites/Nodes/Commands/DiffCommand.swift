import Command
import Output
import System

extension Nodes {
  static let snapshotNames = WordSource {
    context, _ throws(Failure) in
    let entries = try context.snapshots.entries()
    var days: [(day: String, count: Int)] = []
    for day in entries.map({ context.time.local($0.taken).day.description }) {
      if days.last?.day == day {
        days[days.count - 1].count += 1
      } else {
        days.append((day, 1))
      }
    }
    guard !days.isEmpty else { return [] }
    return [Choice("latest", "the newest snapshot")]
      + days.map { Choice($0.day, $0.count == 1 ? "1 snapshot" : "\($0.count) snapshots") }
  }
  static let old = Operand(
    optional: "OLD", ValueKind<String>.text("FILE", .wordsOrFiles(snapshotNames)).orInput,
    "A snapshot: 'latest', 'latest~N', a day, a file or '-'")
  static let new = Operand(
    optional: "NEW", ValueKind<String>.text("FILE", .wordsOrFiles(snapshotNames)).orInput,
    "The snapshot to compare OLD with")

  static let diff = Command(
    "diff", "Show which nodes changed between two snapshots",
    discussion: """
      Compares the last two snapshots, or OLD with the current ranking (never a cached one), or OLD with NEW. A \
      snapshot is 'latest', 'latest~1' (the one before it), or a day such as 2026-03-10, yesterday or 7d (its last \
      one, in local time). These are of the chosen ranking and of the service that the command would use. Damaged \
      snapshots are reported and skipped.

      A file is a snapshot, or a list of nodes from 'hw nodes top --json' or the service; '-' is standard input. \
      Snapshots of different sources are not compared.

      A ranking has at most 100 nodes. A node that is in only one of the two has 'entered' or 'left', and its \
      differences are unknown. Other nodes are listed if channels, capacity or alias changed. As with diff(1), the \
      status is 1 if there is a difference, regardless of --where.
      """,
    operands: [old, new],
    options: [by, Service.tokenFile],
    output: .list(
      NodeChange.self, order: "by the change of capacity, then those that entered or left", key: "publicKey"
    ).schemaVersion(2),
    needs: [.network, .store],
    examples: [
      Example("hw nodes snapshot && hw nodes diff latest", "show the changes since the snapshot"),
      Example(
        "hw nodes snapshot >/dev/null && hw nodes diff --where change=left --tsv --no-header",
        "print only the nodes that left, which cron mails", after: "hw nodes snapshot >/dev/null; "),
      Example(
        "hw nodes top --json >a.json; hw nodes top --json | hw nodes diff a.json -",
        "compare a file with standard input"),
    ],
    failures: [.no]
  ) { call, context throws(Failure) -> ExitStatus in
    let reader = try SnapshotReader(call, context)
    let (old, new) = (try call[Nodes.old], try call[Nodes.new])
    let before = try reader.read(old ?? "latest~1")
    let after =
      if let new { try reader.read(new) } else if old == nil { try reader.read("latest") } else {
        try reader.now(like: before)
      }
    for snapshot in [before, after] { try reader.checkRanking(of: snapshot) }
    let changes = try after.changes(since: before)
    try context.output.write(changes)
    if changes.isEmpty, context.output.settings.format ?? .table == .table {
      context.messages.report("no changes")
    }
    return changes.isEmpty ? .success : .no
  }
}

private struct SnapshotReader {
  private let folder: SnapshotFolder
  private let series: SnapshotFolder.Series
  private let call: Invocation
  private let context: Context

  init(_ call: Invocation, _ context: Context) throws(Failure) {
    self.call = call
    self.context = context
    folder = try context.snapshots
    series = SnapshotFolder.Series(call[Nodes.by], of: try context.address(of: Nodes.service))
  }

  func read(_ name: String) throws(Failure) -> Snapshot {
    if name == "-" { return try standardInput() }
    if let age = SnapshotReader.age(name) {
      let saved = try folder.readable(age + 1, of: series, renamesDamaged: false) {
        context.messages.report($0)
      }
      guard age < saved.count else {
        throw noSnapshot(
          saved.isEmpty ? "yet" : "called '\(name)': there \(saved.count == 1 ? "is" : "are") \(saved.count)")
      }
      return saved[age]
    }
    if let day = DayValue(name)?.day(today: context.today) {
      let saved = try folder.readable(1, of: series, on: { dayTaken($0) == day }, renamesDamaged: false) {
        context.messages.report($0)
      }
      guard let last = saved.first else { throw try noSnapshot(on: day) }
      return last
    }
    return try SnapshotFolder.load(name)
  }

  private func dayTaken(_ entry: SnapshotFolder.Entry) -> CalendarDay { context.time.local(entry.taken).day }

  /// Names the day of the nearest snapshot.
  private func noSnapshot(on day: CalendarDay) throws(Failure) -> Failure {
    func distance(_ other: CalendarDay) -> Int { abs(other.daysSinceEpoch - day.daysSinceEpoch) }
    let others = try folder.entries(series).map(dayTaken).filter { $0 != day }
    var failure = noSnapshot("saved on \(day)")
    if let nearest = others.min(by: { distance($0) < distance($1) }) {
      failure.hint = "the nearest is of \(nearest); 'hw nodes snapshots' lists all"
    }
    return failure
  }

  /// Returns 0 for `latest`, 2 for `latest~2`, and nil for other names.
  private static func age(_ name: String) -> Int? {
    if name == "latest" { return 0 }
    guard name.hasPrefix("latest~") else { return nil }
    let digits = name.dropFirst("latest~".count)
    return digits.utf8.allSatisfy(\.isASCIIDigit) ? Int(digits).map { min($0, 1_000_000) } : nil
  }

  /// Refuses a file whose ranking is not the one of `--by`.
  func checkRanking(of snapshot: Snapshot) throws(Failure) {
    if call.isGiven(Nodes.by), let ranking = snapshot.ranking, ranking != call[Nodes.by] {
      throw Failure(
        .usage, "'--by \(call[Nodes.by].rawValue)': the snapshot has the ranking '\(ranking.rawValue)'")
    }
  }

  func now(like old: Snapshot) throws(Failure) -> Snapshot {
    let ranking = call.isGiven(Nodes.by) ? call[Nodes.by] : old.ranking ?? call[Nodes.by]
    var snapshot = Snapshot(source: series.source, ranking: ranking, nodes: [])
    // Before the request: a refused comparison needs none.
    _ = try snapshot.changes(since: old)
    let client = NodesClient(endpoint: try context.endpoint(Nodes.service))
    snapshot.nodes = try client.ranking(ranking, maxAge: .zero)
    try snapshot.requireNodes(after: old)
    return snapshot
  }

  private func standardInput() throws(Failure) -> Snapshot {
    guard let bytes = try context.open("-").readAll(atMost: 64 << 20) else {
      throw Failure(.usage, "standard input is longer than 64 MiB", hint: "a snapshot is much shorter")
    }
    return try Snapshot(bytes, from: "standard input")
  }

  private var saveCommand: String {
    let ranking = call.isGiven(Nodes.by) ? ["--by", series.ranking.rawValue] : []
    return ShellWord.command(["hw", "nodes", "snapshot"] + ranking)
  }

  private func noSnapshot(_ missing: String) -> Failure {
    Failure(
      .notFound, "no \(series.ranking.rawValue) snapshot of '\(series.source)' \(missing)",
      hint: "save one with \(saveCommand); 'hw nodes snapshots' lists all")
  }
}
