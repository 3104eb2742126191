import HTTP
import System

/// Moves a bike and then frees it. A failure contains the state, and repeating the command completes the return.
struct BikeReturn {
  let client: BikesClient
  let id: String
  let place: Place
  let wasOurs: Bool
  let supportsIdempotency: Bool

  private var retryCommand: String { BikesClient.returnCommand(id, at: place) }

  func perform(_ bike: Bike, key: String?, moving: () throws(Failure) -> Void) throws(Failure) {
    let isThere = bike.place == place
    if !isThere { try move(moving) }
    let state = "bike \(id) \(isThere ? "is at" : "was moved to") \(place)"
    do throws(Failure) {
      try client.returnBike(id, wasOurs: wasOurs, key: key, supportsIdempotency: supportsIdempotency)
    } catch {
      // Nothing was changed, and a repetition would be refused, too.
      if isThere, error.kind == .unauthorized { throw error }
      throw error.outcomeUnknown
        ? error.prefixing(
          "\(state), and perhaps returned", hint: "if you still have it, finish with \(retryCommand)")
        : error.prefixing("\(state), but is not returned yet", hint: "finish with \(retryCommand)")
    }
  }

  private func move(_ moving: () throws(Failure) -> Void) throws(Failure) {
    do throws(Failure) {
      try moving()
    } catch {
      guard error.outcomeUnknown else { throw error.prefixing("bike \(id) was neither moved nor returned") }
      switch client.refetch(id, after: error) {
      case .success(let bike?) where bike.place == place: return
      case .success:
        throw error.prefixing("bike \(id) was neither moved nor returned", hint: "try \(retryCommand) again")
      case .failure:
        throw error.prefixing(
          "bike \(id) may have been moved to \(place), and is not returned yet",
          hint: "finish with \(retryCommand)")
      }
    }
  }
}
