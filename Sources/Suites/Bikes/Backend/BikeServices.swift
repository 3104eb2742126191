import Server

/// What all routes of the suite use.
struct BikeServices {
  let bikes: BikeTable
  let cache: BikeReadCache
  let changes: IdempotentChanges
  let epoch: String
  let limits: BikeLimits
  let slices: DividedRead
}
