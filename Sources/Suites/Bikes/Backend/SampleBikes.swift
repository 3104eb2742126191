import Store
import System

enum SampleBikes {
  static let original = [
    profile("Henry", "00C8E6", "1234", 50.119504, 8.638137),
    profile("Hans", "76CD68", "5678", 50.119229, 8.640020),
    profile("Thomas", "EAB151", "1111", 50.120452, 8.650507),
  ].compactMap { $0 }

  private static let names = [
    "Adele", "Bert", "Carla", "Doris", "Emil", "Frieda", "Gustav", "Hilde", "Ida", "Jakob", "Klara", "Linus",
    "Mina", "Nelly", "Otto", "Paula", "Quentin", "Rosa", "Selma", "Theo", "Uwe", "Vera", "Willi", "Xaver",
    "Yara", "Zora",
  ]

  /// Adds the original bikes and a generated town around them, with some bikes rented. Returns the epoch.
  static func insert(into bikes: BikeTable, seed: UInt64) throws(Failure) -> String {
    let rentals = RentalTable(bikes: bikes)
    var random = SplitMix64(seed: seed)
    var profiles = original
    for name in names {
      let colors = FrameColor.palette
      let profile = profile(
        name, colors[random.next(below: colors.count)].hex, pin(&random),
        rounded(50.1195 + (random.fraction() - 0.5) * 0.03),
        rounded(8.6400 + (random.fraction() - 0.5) * 0.05))
      if let profile { profiles.append(profile) }
    }
    let epoch = try bikes.initialize(epoch: "demo-\(seed)", with: profiles)
    // One bike in five is still rented. Half of the others were rented and returned in a week. Ids begin with 0.
    let rides = (3..<profiles.count).map { number in
      (number: number, start: noon - 600 - random.next(below: 604_800), wasRented: random.next(below: 2) == 0)
    }
    try bikes.database.transaction { () throws(Failure) in
      for ride in rides.sorted(by: { $0.start < $1.start }) {
        let isOut = ride.number % 5 == 0
        guard isOut || ride.wasRented, let record = try bikes.lock(ride.number) else { continue }
        try rentals.rent(record, by: nil, at: ride.start)
        guard !isOut else { continue }
        try rentals.returnBike(record, by: nil, at: ride.start + 300 + random.next(below: 300))
      }
    }
    return epoch
  }

  /// 2026-03-10 12:00 UTC. Sample data does not depend on the date.
  private static let noon = 1_773_144_000

  private static func profile(
    _ name: String, _ color: String, _ pin: String, _ latitude: Double, _ longitude: Double
  ) -> BikeProfile? {
    guard let pin = Pin(pin), let place = Place(latitude: latitude, longitude: longitude) else { return nil }
    return BikeProfile(name: name, color: color, pin: pin, place: place)
  }

  private static func pin(_ random: inout SplitMix64) -> String {
    String((0..<4).map { _ in Character("\(random.next(below: 10))") })
  }

  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e6).rounded() / 1e6 }
}
