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

  /// Prevents that another server counts and adds for the same user. Precedes all counting.
  func lock(_ user: String, in bikes: BikeTable) throws(Failure) {
    try bikes.database.lock(named: "limits of \(user)")
  }

  func checkBikes(of caller: Caller, in bikes: BikeTable, adding count: Int) throws(Failure) {
    guard let owner = caller.ordinaryUser else { return }
    try lock(owner, in: bikes)
    guard try bikes.count(ownedBy: owner, upTo: bikesPerOwner + 1) + count <= bikesPerOwner
    else {
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
