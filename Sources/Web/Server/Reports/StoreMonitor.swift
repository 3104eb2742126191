import Store
import Synchronization
import System

/// Examines the store on its own thread and connection: a store that does not respond delays no request.
public final class StoreMonitor {
  struct Report: Sendable {
    var isReachable = true
    /// Free bytes on the disk of the store; nil in memory and for a database server.
    var free: Int?
    var isFull = false

    static let unreachable = Report(isReachable: false)
  }

  /// Reports that a change failed because the disk is full. The next examinations then try to write.
  let noteFull: @Sendable () -> Void
  private let work: BackgroundWork<Void, Report>
  private var isExamining = false

  /// Examines those of `databases` that exist at the start, and always the database of the users.
  public convenience init(_ store: Store, _ databases: [Migrations] = []) throws(Failure) {
    let examiner = UncheckedTransfer(try StoreExaminer(store, databases))
    try self.init(noteFull: { examiner.value.wasFull.store(true, ordering: .relaxed) }) {
      examiner.value.report()
    }
  }

  init(
    noteFull: @escaping @Sendable () -> Void = {}, _ examine: @escaping @Sendable () -> Report
  ) throws(Failure) {
    self.noteFull = noteFull
    work = try BackgroundWork { examine() }
  }

  var descriptor: FileDescriptor { work.descriptor }

  /// Requests a report. Requests during an examination share its report.
  func request() {
    guard !isExamining else { return }
    isExamining = true
    work.submit(())
  }

  func next() -> Report? {
    guard let report = work.next() else { return nil }
    isExamining = false
    return report
  }
}

/// Examines the store. Only `wasFull` is used outside the thread of the monitor.
private final class StoreExaminer {
  private let store: Store
  /// The databases that existed at the start: SQLite does not notice that an open file is deleted or replaced.
  private let databases: [Migrations]
  private var files: [String: File.Identity] = [:]
  private var users: Database?
  let wasFull = Atomic(false)

  private static let leastFree = 1 << 20

  init(_ store: Store, _ databases: [Migrations]) throws(Failure) {
    self.store = store
    var existing: [Migrations] = []
    for migrations in databases where try store.contains(migrations) { existing.append(migrations) }
    self.databases = existing
  }

  func report() -> StoreMonitor.Report {
    do throws(Failure) {
      var report = StoreMonitor.Report()
      guard store.isDurable else { return report }
      guard store.folder.map(Folder.isWritable) ?? true else { return .unreachable }
      for migrations in databases + [UserTable.migrations] {
        files[migrations.name] = try store.file(of: migrations, known: files[migrations.name])
      }
      let users = if let users { users } else { try store.open(UserTable.migrations) }
      self.users = users
      _ = try users.first("SELECT revision FROM user_revision") { _ in true }
      report.free = store.folder.flatMap(Folder.freeBytes)
      let isLow = report.free.map { $0 < StoreExaminer.leastFree } ?? false
      report.isFull = isLow ? true : try isStillFull(users)
      return report
    } catch {
      // The next examination connects again.
      users = nil
      return .unreachable
    }
  }

  /// Whether a change fails because the disk is full. Writes nothing unless one has failed before.
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
}
