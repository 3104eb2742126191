import Server
import Store
import System

struct BikesBackend: Backend {
  let suite = "bikes"
  let errors = ErrorStyle.bikes
  let routes: [Route]
  private let services: BikeServices
  private let isShared: Bool

  var bikes: BikeTable { services.bikes }
  var database: Database { bikes.database }

  init(
    _ settings: BackendSettings, _ limits: BikeLimits = BikeLimits(), feed: FeedSystem = FeedSystem()
  ) throws(Failure) {
    isShared = settings.store.isShared
    let bikes = BikeTable(database: try settings.store.open(BikeTable.migrations))
    let epoch: String
    if settings.hasSamples {
      epoch = try SampleBikes.insert(into: bikes, seed: settings.seed)
    } else {
      epoch = try bikes.initialize(
        epoch: String(UInt64.random(in: 0 ... .max), radix: 36),
        with: settings.startsEmpty ? [] : SampleBikes.original)
      if settings.addsSamples { try bikes.insertIfBlank(SampleBikes.original) }
    }
    let cache = BikeReadCache(bikes, epoch: epoch)
    let dividedRead = DividedRead(settings.store, time: settings.time)
    let changes = IdempotentChanges(
      bikes, cache, GrowthLimit(bikes, limits), epoch: epoch, time: settings.time)
    services = BikeServices(
      bikes: bikes, cache: cache, changes: changes, epoch: epoch, limits: limits, dividedRead: dividedRead)
    routes =
      BikeRoutes(services).routes
      + FeedRoutes(cache, feed, publicURL: settings.publicURL, time: settings.time, dividedRead).routes
  }

  func transaction(_ body: () throws(Failure) -> Void) throws(Failure) { try database.transaction(body) }

  /// Locks the bikes of a batch together, which saves round trips. If that fails, each handler locks its own bike.
  func prepare(_ calls: [Call]) {
    guard isShared else { return }
    let numbers = Set(calls.compactMap { $0.value(of: "id").flatMap { try? BikeRoutes.number($0) } })
    guard numbers.count > 1 else { return }
    do throws(Failure) {
      try transaction { () throws(Failure) in try bikes.lockTogether(numbers.sorted()) }
    } catch {
      bikes.forgetLocked()
    }
  }

  func transactionEnded(isCommitted: Bool) {
    bikes.forgetLocked()
    services.changes.growth.transactionEnded(isCommitted: isCommitted)
  }

  func turnEnded() { services.cache.turnEnded() }
}

struct BikeServices {
  let bikes: BikeTable
  let cache: BikeReadCache
  let changes: IdempotentChanges
  let epoch: String
  let limits: BikeLimits
  let dividedRead: DividedRead
}

extension Caller {
  var name: String? { user?.name }

  /// Owner and renter see the PIN.
  func seesPin(owner: String?, renter: String?) -> Bool { name != nil && (owner == name || renter == name) }

  func seesPin(of record: BikeTable.Record) -> Bool {
    switch self {
    case .local, .anybody: true
    case .stranger: false
    case .user: seesPin(owner: record.bike.owner, renter: record.renter)
    }
  }

  func hasRented(_ record: BikeTable.Record) -> Bool {
    record.bike.isRented && (record.renter == nil || record.renter == name)
  }

  /// Owner and admins manage a bike. Without an owner every user manages it, and during a rental only the renter.
  func manages(_ record: BikeTable.Record) -> Bool {
    manages(owner: record.bike.owner, renter: record.renter)
  }

  func manages(owner: String?, renter: String?) -> Bool {
    switch self {
    case .local, .anybody: true
    case .stranger: false
    case .user(let user): user.isAdmin || (owner ?? renter ?? user.name) == user.name
    }
  }

  /// The local user is an admin. On a server without users nobody is.
  var isAdmin: Bool { self == .local || user?.isAdmin == true }

  /// The user to whom limits apply, and who sees a part of the history; nil for other callers.
  var ordinaryUser: String? { user.flatMap { $0.isAdmin ? nil : $0.name } }
}
