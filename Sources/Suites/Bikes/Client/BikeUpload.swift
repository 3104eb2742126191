import HTTP
import JSON
import System

/// Adds the bikes of a file to a service: many per request, or one at a time to the original server. After a failure
/// the added bikes remain; a repeated upload does not add them again.
struct BikeUpload {
  private let client: BikesClient
  private let showProgress: (Int) -> Void
  private(set) var added = 0
  private(set) var present = 0
  /// Ids of the file that belong to other bikes.
  private(set) var conflicts: [Int] = []

  init(_ client: BikesClient, showProgress: @escaping (Int) -> Void) {
    self.client = client
    self.showProgress = showProgress
  }

  mutating func send(_ bikes: [ImportedBike]) throws(Failure) {
    guard let first = bikes.first else { return }
    do throws(Failure) {
      if try client.addsMany(near: first.profile.place) {
        try sendTogether(bikes)
      } else {
        try sendOneByOne(bikes)
      }
    } catch {
      throw partial(error, of: bikes.count)
    }
  }

  private mutating func sendTogether(_ bikes: [ImportedBike]) throws(Failure) {
    let largest = bikes.lazy.compactMap(\.number).max()
    for start in stride(from: 0, to: bikes.count, by: ImportedBike.mostPerRequest) {
      try Interruption.check()
      let result = try client.add(bikes[start...].prefix(ImportedBike.mostPerRequest), above: largest)
      added += result.added
      present += result.present
      conflicts += result.conflicts
      showProgress(added + present + conflicts.count)
    }
  }

  /// The original server stores no origin of a bike: bikes are compared by all values.
  private mutating func sendOneByOne(_ bikes: [ImportedBike]) throws(Failure) {
    var known: [BikeProfile: Int] = [:]
    for bike in try client.bikes() {
      if let pin = bike.pin { known[BikeChange().profile(of: bike, pin: pin), default: 0] += 1 }
    }
    for bike in bikes {
      try Interruption.check()
      if let count = known[bike.profile], count > 0 {
        known[bike.profile] = count - 1
        present += 1
      } else {
        _ = try client.add(bike.profile)
        added += 1
      }
      showProgress(added + present)
    }
  }

  private func partial(_ failure: Failure, of count: Int) -> Failure {
    guard failure.cause != .explained else { return failure }
    let more = failure.outcomeUnknown ? ", perhaps more" : ""
    let next = "import the file again: no bike is added twice"
    var partial = failure.appending(
      "\(added + present) of \(count) bikes are stored\(more)",
      hint: failure.hint.map { "\($0); then \(next)" } ?? next)
    partial.details += [.init("added", .integer(added)), .init("present", .integer(present))]
    return partial
  }
}

extension BikesClient {
  /// Whether the service adds many bikes per request, as `hw serve` does.
  func addsMany(near place: Place) throws(Failure) -> Bool {
    var request = endpoint.request(.get, "/bikes", BikesClient.query(Circle(place, meters: 1)))
    request.next = "POST /bikes with the bikes, up to \(ImportedBike.mostPerRequest) at a time"
    let response = try endpoint.send(request)
    try BikesClient.check(response, of: request)
    return BikesClient.supportsIdempotency(response)
  }

  /// Adds bikes atomically, except those added before. New ids are `above` the largest id of the whole file.
  func add(
    _ bikes: some Sequence<ImportedBike>, above largest: Int?
  ) throws(Failure) -> (added: Int, present: Int, conflicts: [Int]) {
    let body = JSONWriter.bytes { $0.array { writer in for bike in bikes { bike.write(to: &writer) } } }
    let request = endpoint.request(
      .post, "/bikes", ["above": largest.map(String.init)], headers: changeHeaders(), body: body)
    return try read(sendChange(request), request) { json throws(Failure) in
      let conflicts = try json["conflicts"].orNull?.array.map { id throws(Failure) in try id.int }
      let counts = 0...ImportedBike.mostPerRequest
      return (try json["added"].int(in: counts), try json["present"].int(in: counts), conflicts ?? [])
    }
  }
}
