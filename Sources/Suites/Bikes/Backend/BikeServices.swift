import Server

/// The tables, caches and limits that all routes of the suite share.
struct BikeServices {
  let bikes: BikeTable
  let cache: BikeReadCache
  let changes: IdempotentChanges
  let epoch: String
  let limits: BikeLimits
  let slices: DividedRead
}
