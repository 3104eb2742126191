import TestSupport
import Testing

@testable import Bikes

@Suite struct TheMapAroundAPlace {
  private static let spots = [
    place(50.1195, 8.6381), place(0, 0), place(10, 180), place(-35, -180), place(90, 0), place(-90, 40),
    place(89.9995, 0), place(-89.9999, -123),
  ]

  @Test(arguments: spots)
  func everywherePlaceIsAtItsDistanceAndWayThereLeadsThere(spot: Place) {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let reach: Double = [1, 100, 10_000, 1_000_000][Int.random(in: 0...3, using: &random)]
      let north = Double.random(in: -reach...reach, using: &random)
      let east = Double.random(in: -reach...reach, using: &random)
      let there = spot.moved(north: north, east: east)
      let found = spot.offset(to: there)
      #expect(abs(found.north - north) < 0.001, "\(north) \(east) from \(spot)")
      #expect(abs(found.east - east) < 0.001, "\(north) \(east) from \(spot)")
      let meters = (north * north + east * east).squareRoot()
      #expect(abs(spot.distance(to: there) - meters) < 0.001)
    }
    #expect(spot.offset(to: spot) == (0, 0))
    #expect(spot.moved(north: 0, east: 0) == spot)
  }

  @Test func northIsNorthAndEastIsEast() {
    let here = place(50.1195, 8.6381)
    let (north, east) = (here.moved(north: 400, east: 0), here.moved(north: 0, east: 400))
    #expect(north.latitude > here.latitude && abs(north.longitude - here.longitude) < 1e-9)
    #expect(east.longitude > here.longitude && abs(east.latitude - here.latitude) < 1e-6)
    #expect(place(0, 179.999).moved(north: 0, east: 500).longitude < -179.99)
  }

  @Test func oppositePointsHaveLargestDistance() {
    let offset = place(0, 0).offset(to: place(0, 180))
    #expect((offset.east * offset.east + offset.north * offset.north).squareRoot() > 20_000_000)
  }
}
