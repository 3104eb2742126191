import Command
import Server
import Store
import System

/// Limits per user, so that no user fills the server or keeps all bikes of a town. Admins have no limits.
struct BikeLimits: Sendable {
  var bikesPerOwner = 1000
  var rentalsPerUser = 10
  /// Idempotency keys, which are stored for a day.
  var keysPerUser = 10_000
  /// Megabytes per day.
  var growthPerUser = 100

  /// Prevents another server from counting and adding for the same user. Must precede each count.
  func lock(_ user: String, in bikes: BikeTable) throws(Failure) {
    try bikes.database.lock(named: "limits of \(user)")
  }

  func checkBikes(of caller: Caller, in bikes: BikeTable, adding count: Int) throws(Failure) {
    guard let owner = caller.ordinaryUser else { return }
    try lock(owner, in: bikes)
    guard try bikes.count(ownedBy: owner, upTo: bikesPerOwner + 1) + count <= bikesPerOwner else {
      throw .refused(403, .conflict, "a user may have at most \(bikesPerOwner) bikes: delete others first")
    }
  }

  func checkRentals(of caller: Caller, in bikes: BikeTable) throws(Failure) {
    guard let renter = caller.ordinaryUser else { return }
    try lock(renter, in: bikes)
    guard try bikes.count(rentedBy: renter) < rentalsPerUser else {
      throw .refused(403, .conflict, "a user may rent at most \(rentalsPerUser) bikes: return another first")
    }
  }
}

extension BikeLimits {
  private static let owned = Setting(
    "bikes-per-owner", .count(0...100_000_000), default: BikeLimits().bikesPerOwner, scope: .serve,
    "Allow each user to add N bikes", details: "An admin has no limit.")
  private static let rented = Setting(
    "rentals-per-user", .count(0...100_000_000), default: BikeLimits().rentalsPerUser, scope: .serve,
    "Allow each user to rent N bikes at once", details: "An admin has no limit.")

  private static let growth = Setting(
    "growth-per-user", .count(0...1_000_000, "MB"), default: BikeLimits().growthPerUser, scope: .serve,
    "Allow each user to add MB of changes of bikes per day",
    details: """
      A change counts 1 kB and its content. A day ends at midnight in UTC. Status 429 with Retry-After refuses more \
      changes, and more than \(BikeLimits().keysPerUser) idempotency keys of a user. An admin has no limit.
      """)

  static let settings: [any Declared] = [owned, rented, growth]

  init(_ options: ServerOptions) {
    self.init(
      bikesPerOwner: options[Self.owned], rentalsPerUser: options[Self.rented],
      growthPerUser: options[Self.growth])
  }
}

/// Limits the growth of the store per user: idempotency keys, and bytes per day in UTC.
///
/// A server takes a share of the limit from the database and counts in memory until it is used up. Most changes then
/// need no statement, and several servers together do not exceed a limit.
final class GrowthLimit {
  private struct Share {
    var keys = 0
    var bytes = 0
    var day = 0
    /// No key expires before this time, and there is no room for another one.
    var keysFullUntil = 0
  }

  private let bikes: BikeTable
  private let limits: BikeLimits
  private var shares: [String: Share] = [:]
  private var uncommitted: Set<String> = []

  /// A row of each table with its indexes, and the old row that PostgreSQL keeps for a while.
  static let bytesPerRow = 1000
  private static let bytesPerShare = 64_000
  private static let mostKeysPerShare = 100
  /// The limit of keys holds for this number of servers together.
  private static let servers = 8
  private static let secondsPerDay = 86_400

  init(_ bikes: BikeTable, _ limits: BikeLimits) {
    self.bikes = bikes
    self.limits = limits
  }

  /// Counts a change, which has one key or none. Fails with the time to wait if it exceeds a limit.
  func count(keys: Int, bytes: Int, of caller: Caller, now: Int) throws(Failure) {
    guard let user = caller.ordinaryUser else { return }
    var share = shares[user] ?? Share()
    let day = now / GrowthLimit.secondsPerDay
    if share.day != day { (share.day, share.bytes) = (day, 0) }
    if share.keys < keys || share.bytes < bytes {
      try limits.lock(user, in: bikes)
      if share.keys < keys, now >= share.keysFullUntil {
        try takeKeys(of: user, &share, now: now)
        shares[user] = share
      }
      guard share.keys >= keys else {
        let message = "a user may have at most \(limits.keysPerUser) idempotency keys"
        throw .limited(message, seconds: share.keysFullUntil - now)
      }
      if share.bytes < bytes { share.bytes += try takeBytes(bytes, of: user, day, now: now) }
      uncommitted.insert(user)
    }
    share.keys -= keys
    share.bytes -= bytes
    shares[user] = share
  }

  /// Takes a share of the free keys. If none is free, `keysFullUntil` saves counting until the oldest key expires.
  private func takeKeys(of user: String, _ share: inout Share, now: Int) throws(Failure) {
    let stored = try bikes.database.first(
      "SELECT count(*), min(at) FROM answered WHERE asker = ? AND at >= ?",
      [.text(user), .integer(IdempotencyKey.oldest(at: now))]
    ) { row throws(Failure) in (count: try row[0].integer, oldest: try row[1].orNull?.integer ?? now) }
    let (count, oldest) = stored ?? (0, now)
    guard count < limits.keysPerUser else {
      share.keysFullUntil = min(oldest, now) + IdempotencyKey.lifetime + 1
      return
    }
    let part = (limits.keysPerUser - count) / GrowthLimit.servers
    share.keys = max(1, min(GrowthLimit.mostKeysPerShare, part))
  }

  private func takeBytes(_ bytes: Int, of user: String, _ day: Int, now: Int) throws(Failure) -> Int {
    let used = try bikes.database.first(
      "SELECT bytes FROM growth WHERE member = ? AND day = ?", [.text(user), .integer(day)]
    ) { row throws(Failure) in max(0, try row[0].integer) }
    let left = limits.growthPerUser * 1_000_000 - (used ?? 0)
    guard bytes <= left else {
      throw .limited(
        "a user may add at most \(limits.growthPerUser) MB to the store per day",
        seconds: (day + 1) * GrowthLimit.secondsPerDay - now)
    }
    let share = min(left, max(bytes, GrowthLimit.bytesPerShare))
    try bikes.database.enqueue(
      """
      INSERT INTO growth (member, day, bytes) VALUES (?, ?, ?)
      ON CONFLICT (member) DO UPDATE SET day = excluded.day, bytes = excluded.bytes
      """, [.text(user), .integer(day), .integer((used ?? 0) + share)])
    return share
  }

  /// Drops the shares of a transaction that was rolled back.
  func transactionEnded(isCommitted: Bool) {
    if !isCommitted { for user in uncommitted { shares[user] = nil } }
    uncommitted = []
  }
}

extension Failure {
  fileprivate static func limited(_ message: String, seconds: Int) -> Failure {
    Failure(.rateLimited, message, cause: .wait(seconds: max(1, seconds)))
  }
}
