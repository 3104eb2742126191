import Server
import Store
import System

/// The backend of the suite: it assembles the tables, the cache and the routes.
///
/// The changes of one turn of the server share a commit, and no response is sent before it.
struct BikesBackend {
  /// For tests that break it.
  let database: Database
  private let changes: IdempotentChanges
  private let bikeRoutes: BikeRoutes
  private let routes: [Route]

  init(
    _ settings: BackendSettings, _ limits: BikeLimits = BikeLimits(), feed: FeedSystem = FeedSystem()
  ) throws(Failure) {
    database = try settings.store.open(BikeTable.migrations)
    let bikes = BikeTable(database: database)
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
    let slices = DividedRead(settings.store, time: settings.time)
    changes = IdempotentChanges(
      bikes, cache, GrowthLimit(bikes, limits), epoch: epoch, time: settings.time)
    let services = BikeServices(
      bikes: bikes, cache: cache, changes: changes, epoch: epoch, limits: limits, slices: slices)
    bikeRoutes = BikeRoutes(services)
    routes =
      bikeRoutes.routes
      + FeedRoutes(cache, feed, publicURL: settings.publicURL, time: settings.time, slices).routes
  }

  var backend: Backend {
    Backend(
      "bikes", errors: .bikes, state: .store, routes: routes,
      gauges: [
        StoredGauge(
          "hw_bikes", "Bikes", in: BikeTable.migrations, "SELECT count(*) FROM bike WHERE deleted = 0"),
        StoredGauge(
          "hw_bikes_rented", "Bikes that are rented now", in: BikeTable.migrations,
          "SELECT count(*) FROM bike WHERE deleted = 0 AND rented = 1"),
      ],
      commit: changes.commit, rollback: changes.rollback, prepare: bikeRoutes.prepare)
  }
}

/// The tables, caches and limits that all routes of the suite share.
struct BikeServices {
  let bikes: BikeTable
  let cache: BikeReadCache
  let changes: IdempotentChanges
  let epoch: String
  let limits: BikeLimits
  let slices: DividedRead
}
