/// A bike as a list shows it: with how far it is from where one stands. Its PIN is not part of it.
struct FoundBike: Sendable, Equatable {
  let bike: Bike
  /// Metres, where a place to measure from is known.
  let distance: Double?

  init(_ bike: Bike, from place: Place?) {
    self.bike = bike
    distance = place.map { $0.distance(to: bike.place) }
  }

  var metres: Int? { distance.map { Int($0.rounded()) } }

  /// Nearest first; without a place in the order of the service.
  static func sorted(_ bikes: [Bike], from place: Place?) -> [FoundBike] {
    let found = bikes.map { FoundBike($0, from: place) }
    guard place != nil else { return found }
    return found.enumerated().sorted { a, b in
      let (x, y) = (a.element.distance ?? .infinity, b.element.distance ?? .infinity)
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }
}
