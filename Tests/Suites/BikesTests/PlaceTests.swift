import Foundation
import TestSupport
import Testing

@testable import Bikes

/// Vincenty's inverse formula: another way to the same distance, right to a millimeter where it converges.
private func vincenty(_ a: Place, _ b: Place) -> Double? {
  let (major, minor) = (6_378_137.0, 6_356_752.314245)
  let f = (major - minor) / major
  let u1 = atan((1 - f) * tan(a.latitude * .pi / 180))
  let u2 = atan((1 - f) * tan(b.latitude * .pi / 180))
  let l = (b.longitude - a.longitude) * .pi / 180
  var lambda = l
  for _ in 0..<200 {
    let x = cos(u2) * sin(lambda)
    let y = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)
    let sinS = (x * x + y * y).squareRoot()
    if sinS == 0 { return 0 }
    let cosS = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda)
    let sigma = atan2(sinS, cosS)
    let sinA = cos(u1) * cos(u2) * sin(lambda) / sinS
    let cos2A = 1 - sinA * sinA
    let cos2M = cos2A == 0 ? 0 : cosS - 2 * sin(u1) * sin(u2) / cos2A
    let c = f / 16 * cos2A * (4 + f * (4 - 3 * cos2A))
    let next =
      l + (1 - c) * f * sinA * (sigma + c * sinS * (cos2M + c * cosS * (2 * cos2M * cos2M - 1)))
    if abs(next - lambda) < 1e-12 {
      let u = cos2A * (major * major - minor * minor) / (minor * minor)
      let ka = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
      let kb = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
      let d =
        kb * sinS
        * (cos2M + kb / 4
          * (cosS * (2 * cos2M * cos2M - 1) - kb / 6 * cos2M * (4 * sinS * sinS - 3) * (4 * cos2M * cos2M - 3)))
      return minor * ka * (sigma - d)
    }
    lambda = next
  }
  return nil
}

func place(_ latitude: Double, _ longitude: Double) -> Place {
  Place(latitude: latitude, longitude: longitude) ?? .zero
}

private func anyPlace(using random: inout SeededGenerator) -> Place {
  place(Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
}

@Suite struct Distances {
  private static let geodesics: [(Place, Place, Double)] = [
    // Flinders Peak to Buninyong, the surveyors' own example.
    (place(-37.951033417, 144.424867889), place(-37.652821139, 143.926495528), 54_972.271),
    // From the equator to the pole, and half around both.
    (place(0, 0), place(90, 0), 10_001_965.729), (place(0, 0), place(0, 90), 10_018_754.171),
    // Nearly opposite, where Vincenty's formula fails (Karney).
    (place(0, 0), place(0.5, 179.5), 19_936_288.579), (place(0, 0), place(0, 180), 20_003_931.459),
    (place(90, 0), place(-90, 0), 20_003_931.459),
    // Across the date line and across the pole.
    (place(0, 179.9), place(0, -179.9), 22_263.898), (place(89.9, 0), place(89.9, 180), 22_338.796),
    (place(50, 8), place(50, 8), 0),
  ]

  @Test(arguments: geodesics)
  func knownGeodesicsWithin017Percent(a: Place, b: Place, meters: Double) {
    #expect(abs(a.distance(to: b) - meters) <= 0.001_7 * meters + 0.001)
    #expect(a.distance(to: b) == b.distance(to: a))
  }

  @Test func anywhereOnEarthNearAndFarAgainstVincentysFormula() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let a = anyPlace(using: &random)
      let reach = [0.001, 0.1, 5, 180][Int.random(in: 0...3, using: &random)]
      let b = place(
        max(-90, min(90, a.latitude + Double.random(in: -reach...reach, using: &random))),
        Place.wrapped(a.longitude + Double.random(in: -reach...reach, using: &random)))
      guard let truth = vincenty(a, b) else { continue }
      #expect(abs(a.distance(to: b) - truth) <= 0.001_7 * truth + 0.001, "\(a) to \(b)")
    }
  }
}

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

@Suite struct Cells {
  /// A query looks into the cells alone: none that holds a place of the circle may be missing.
  @Test(arguments: [1.0, 50, 1000, 10_000, 60_000])
  func everyPlaceOfCircleIsInCirclesCells(meters: Double) {
    let spots = [
      place(90, 0), place(-90, 0), place(0, 180), place(0, 0), place(50.1, 8.6), place(45, 90),
      place(-35, -180),
    ]
    var random = SeededGenerator(seed: 2)
    let anywhere = (0..<20).map { _ in anyPlace(using: &random) }
    for spot in spots + anywhere {
      let circle = Circle(spot, meters: meters)
      guard let cells = circle.cells else { continue }
      for _ in 0..<300 {
        let turn = Double.random(in: 0...(2 * .pi), using: &random)
        let far = meters * Double.random(in: 0...1, using: &random).squareRoot()
        let near = spot.moved(north: far * cos(turn), east: far * sin(turn))
        guard circle.contains(near) else { continue }
        let cell = GridCell.number(of: Direction(near))
        #expect(cells.contains { $0.contains(cell) }, "\(near) around \(spot), \(meters) m")
      }
    }
  }

  @Test func theSmallestAndTheLargestCircle() {
    let (here, there) = (place(0, 0), place(0, 180))
    for meters in [0.0, -5] {
      #expect(Circle(here, meters: meters).contains(here))
      #expect(!Circle(here, meters: meters).contains(here.moved(north: 1, east: 0)))
      #expect(!Circle(here, meters: meters).contains(here.moved(north: 0.5, east: 0)))
    }
    #expect(
      Circle(here, meters: Sphere.halfCircumference).contains(there)
        && Circle(here, meters: .infinity).contains(there))
    #expect(!Circle(here, meters: Sphere.halfCircumference - 1000).contains(there))
    // All bikes may as well be looked at.
    #expect(
      Circle(here, meters: Sphere.halfCircumference).cells == nil
        && Circle(here, meters: 200_000).cells == nil)
  }

  /// Also the opposite one, whose distance is rounded.
  @Test(arguments: [(35.0, 139.0), (-33, 151), (50, 8), (90, 0)])
  func aCircleOfTheWholeEarthHasEveryPlace(latitude: Double, longitude: Double) {
    let opposite = place(-latitude, longitude - 180)
    #expect(Circle(place(latitude, longitude), meters: Sphere.halfCircumference).contains(opposite))
    #expect(abs(place(latitude, longitude).distance(to: opposite) - Sphere.halfCircumference) < 10)
  }

  @Test func bikesAtOneDistanceKeepTheirOrder() {
    let bikes = [(1.0, "1"), (0, "2"), (1, "3"), (0, "4")].map { latitude, id in
      Bike(id: id, name: "", color: "", pin: nil, place: place(latitude, 0), isRented: false, owner: nil)
    }
    #expect(FoundBike.sorted(bikes, from: place(0, 0)).map(\.bike.id) == ["2", "4", "1", "3"])
    #expect(FoundBike.sorted(bikes, from: nil).map(\.bike.id) == ["1", "2", "3", "4"])
    #expect(FoundBike.sorted(bikes, from: nil).allSatisfy { $0.meters == nil })
  }

  /// Databases keep it.
  @Test func theNumberOfACellStays() {
    #expect(GridCell.number(of: Direction(place(50.12, 8.64))) == 1_797_785_836_610)
  }

  /// None that lies wholly within the Earth or above it, and none twice; around the equator too, where the cells of
  /// both halves meet.
  @Test(arguments: [
    (0.01, 46.0, 20_000.0, 55, 1437), (0.01, -141.5, 30_000, 82, 2904), (50.1195, 8.6381, 20_000, 729, 1431),
    (-33.9, 151.2, 5000, 40, 102), (0, 0, 0, 1, 1),
  ])
  func theCellsOfACircle(latitude: Double, longitude: Double, meters: Double, ranges: Int, count: Int) throws
  {
    let cells = try #require(Circle(place(latitude, longitude), meters: meters).cells)
    #expect(cells.count == ranges)
    #expect(cells.reduce(0) { $0 + $1.count } == count)
  }

  /// A circle meets as many cells in each eighth of the sphere.
  @Test(arguments: [1000.0, 20_000])
  func noEighthIsSearchedMoreThanAnother(meters: Double) throws {
    var counts: [Int] = []
    for latitude in [35.2644, -35.2644] {
      for longitude in [45.0, 135, -135, -45] {
        let cells = try #require(Circle(place(latitude, longitude), meters: meters).cells)
        counts.append(cells.reduce(0) { $0 + $1.count })
      }
    }
    let most = try #require(counts.max())
    #expect(counts.allSatisfy { $0 * 5 >= most * 4 }, "\(counts)")
  }
}

@Suite struct Reading {
  /// The head of a section says what its texts are read as.
  @Test func textsAreReadAsRecorded() throws {
    var kind = ""
    try RecordedText.holdTexts("readings.txt", begin: { kind = String($0.dropFirst(3)) }) { text in
      switch kind {
      case "places": [Place(text).map { "= \($0)" } ?? "! \(Place.problem(text) ?? "no place")"]
      case "numbers": ["= \(Place.number(text).map { "\($0)" } ?? "no number")"]
      case "PINs": ["= \(Pin(text)?.digits ?? "no PIN")"]
      case "colors": ["= \(FrameColor(text)?.hex ?? "no color")"]
      default: [BikeName.problem(text).map { "! \($0)" } ?? "= a name"]
      }
    }
  }

  /// Read by hand, and as exactly as the standard library reads it.
  @Test func decimalNumbers() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...20, using: &random)).map { _ in
        "\(Int.random(in: 0...9, using: &random))"
      }
      let point = Int.random(in: 0...digits.count, using: &random)
      let sign = ["", "-", "+"].randomElement(using: &random) ?? ""
      let text = sign + digits[..<point].joined() + "." + digits[point...].joined()
      #expect(Place.decimal(text) == Double(text), "\(text)")
    }
    #expect(Place.decimal("-0").map { $0.sign } == .minus)
  }

  @Test(arguments: [
    (180.0, 180.0), (-180, -180), (181, -179), (-181, 179), (360, 0), (540, -180), (-540, 180), (-361, -1),
    (8.5, 8.5),
  ])
  func longitudesGoRound(longitude: Double, wrapped: Double) {
    #expect(Place.wrapped(longitude) == wrapped)
  }

  @Test(arguments: [(399, 1.0), (400, nil)] as [(Int, Double?)])
  func aNumberHasAtMost400Digits(zeros: Int, number: Double?) {
    #expect(Place.decimal(String(repeating: "0", count: zeros) + "1") == number)
  }

  @Test(arguments: [(0.0, 8.0, true), (50, 0, true), (0, 0, true), (-0.0, 8, true), (50, 8, false)])
  func aCoordinateOfZero(latitude: Double, longitude: Double, hasZero: Bool) {
    #expect(place(latitude, longitude).hasZero == hasZero)
  }

  /// What a hint says, a command line takes.
  @Test(
    arguments: [
      (place(0.00001, 8), "0.00001,8"), (place(-0.000_000_5, 1e-7), "-0.0000005,0.0000001"),
      (place(.leastNonzeroMagnitude, -.leastNormalMagnitude), nil),
      (place(50.119504, 8.638137), "50.119504,8.638137"),
    ] as [(Place, String?)])
  func placeIsDescribedAsItIsRead(place: Place, text: String?) {
    if let text { #expect(place.description == text) }
    #expect(Place(place.description) == place)
  }

  @Test func aPinNeverDescribesItself() {
    #expect(Pin("4711").map { "\($0)" } == "••••")
  }

  @Test func theChannelsOfAColor() throws {
    #expect(try #require(FrameColor("cyan")).channels == (0, 200, 230))
    #expect(FrameColor("00c8e6")?.name == "cyan" && FrameColor("123456")?.name == "123456")
    #expect(FrameColor("#1c1c1c")?.hex == "1C1C1C" && FrameColor("black")?.hex == "1C1C1C")
  }

  @Test(
    arguments: [("n", 100, nil), ("n", 101, 101), ("é", 50, nil), ("é", 51, 102)] as [(String, Int, Int?)])
  func aNameHasAtMost100Bytes(letter: String, count: Int, bytes: Int?) {
    let problem = BikeName.problem(String(repeating: letter, count: count))
    #expect(problem == bytes.map { "the name has \($0) bytes, and 100 are allowed" })
  }
}
