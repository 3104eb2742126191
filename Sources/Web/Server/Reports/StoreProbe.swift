import Store
import Synchronization
import System

/// A number in the store that a server reports: a SELECT with one value.
public struct StoredGauge: Sendable {
  /// In the metrics: `hw_bikes_rented`.
  let name: String
  let help: String
  let migrations: Migrations
  let sql: String

  public init(_ name: String, _ help: String, in migrations: Migrations, _ sql: String) {
    self.name = name
    self.help = help
    self.migrations = migrations
    self.sql = sql
  }
}

/// Examines the store on a thread of its own, with connections of its own: neither a store that does not respond nor a
/// long count holds up a request.
public final class StoreProbe {
  public struct Report: Sendable {
    /// Bytes; nil in memory.
    public var size: Int?
    /// Bytes on the disk of the store; nil in memory and for a database server.
    public var free: Int?
    /// Changes fail, because the disk is full.
    public var isFull = false
    public var gauges: [(gauge: StoredGauge, value: Int)] = []

    public init() {}
  }

  enum Examination: Sendable {
    /// Whether the store can be reached.
    case reachability
    /// State and numbers.
    case numbers
  }

  /// Called when a change failed because the disk is full: then the next examinations try to write.
  let noteFull: @Sendable () -> Void
  private let work: BackgroundWork<Examination, Report?>
  /// The examinations whose reports are not here yet.
  private var pending: [Examination] = []

  /// A monitor of a store, with gauges beside its size and the number of users.
  public convenience init(_ store: Store, _ gauges: [StoredGauge]) throws(Failure) {
    let examiner = UncheckedTransfer(StoreExaminer(store, gauges))
    try self.init(noteFull: { examiner.value.wasFull.store(true, ordering: .relaxed) }) { examination in
      switch examination {
      case .reachability: examiner.value.reachability()
      case .numbers: examiner.value.numbers()
      }
    }
  }

  /// `examine` returns nil if the store cannot be reached.
  init(
    noteFull: @escaping @Sendable () -> Void = {}, _ examine: @escaping @Sendable (Examination) -> Report?
  ) throws(Failure) {
    self.noteFull = noteFull
    work = try BackgroundWork { examine($0) }
  }

  /// Readable when there is a report.
  var descriptor: FileDescriptor { work.descriptor }

  /// Requests a report. Requests during an examination share its report, if it examines what they need.
  func request(_ examination: Examination) {
    switch examination {
    case .reachability: guard pending.isEmpty else { return }
    case .numbers: guard !pending.contains(.numbers) else { return }
    }
    pending.append(examination)
    work.submit(examination)
  }

  /// The next report, if it is ready, and what it is about. Without a report in it the store cannot be reached.
  func next() -> (report: Report?, examination: Examination)? {
    guard let report = work.next() else { return nil }
    return (report, pending.removeFirst())
  }
}

/// Used by the thread of the monitor alone, except `wasFull`.
private final class StoreExaminer {
  private let store: Store
  private let gauges: [StoredGauge]
  private var databases: [String: Database] = [:]
  let wasFull = Atomic(false)

  /// With less on its disk, a directory counts as full.
  private static let leastFree = 1 << 20

  init(_ store: Store, _ gauges: [StoredGauge]) {
    self.store = store
    let users = StoredGauge(
      "hw_users", "Users of the server", in: UserTable.migrations, "SELECT count(*) FROM server_user")
    self.gauges = [users] + gauges
  }

  func reachability() -> StoreProbe.Report? {
    examined { _, _ in }
  }

  func numbers() -> StoreProbe.Report? {
    examined { users, report throws(Failure) in
      report.size = try store.size(users)
      for gauge in gauges {
        let value = try database(gauge.migrations).first(gauge.sql) { row throws(Failure) in
          try row[0].integer
        }
        report.gauges.append((gauge, value ?? 0))
      }
    }
  }

  /// A report, to which `body` adds more once the users can be read; nil if the store cannot be reached.
  private func examined(
    _ body: (Database, inout StoreProbe.Report) throws(Failure) -> Void
  ) -> StoreProbe.Report? {
    do throws(Failure) {
      var report = StoreProbe.Report()
      guard store.isDurable else { return report }
      let users = try database(UserTable.migrations)
      _ = try users.first("SELECT revision FROM user_revision") { _ in true }
      report.free = store.folder.flatMap(Folder.freeBytes)
      let isLow = report.free.map { $0 < StoreExaminer.leastFree } ?? false
      report.isFull = isLow ? true : try isStillFull(users)
      try body(users, &report)
      return report
    } catch {
      // The next examination connects anew.
      databases = [:]
      return nil
    }
  }

  /// Whether a change fails because the disk is full. Nothing is written unless one has failed before.
  private func isStillFull(_ users: Database) throws(Failure) -> Bool {
    guard wasFull.load(ordering: .relaxed) else { return false }
    do throws(Failure) {
      try UserTable.tryToWrite(users)
    } catch {
      if error.storageProblem == .full { return true }
      // Another process holds a lock, which says nothing about the disk.
      guard error.retryable else { throw error }
      return true
    }
    wasFull.store(false, ordering: .relaxed)
    return false
  }

  private func database(_ migrations: Migrations) throws(Failure) -> Database {
    try store.requireDatabase(migrations)
    if let database = databases[migrations.name] { return database }
    let database = try store.open(migrations)
    databases[migrations.name] = database
    return database
  }
}
