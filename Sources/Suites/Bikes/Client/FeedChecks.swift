import Command
import HTTP

/// The contracts of the files of a feed, as far as they are read.
extension Bikes {
  static var feedChecks: [Check] {
    [
      Check("the list of files", "/gbfs/gbfs", expects: file(.either([files, .map(files)]))),
      Check(
        "the stations", "/gbfs/station_information",
        expects: .orNull(
          file(
            .open([
              "stations": .list(.open(["station_id": .string, "name": text, "lat": .number, "lon": .number]))
            ])))
      ),
      Check(
        "the state of the stations", "/gbfs/station_status",
        expects: .orNull(file(.open(["stations": .list(stationStatus)])))),
      Check(
        "the vehicles", "/gbfs/vehicle_status",
        expects: .orNull(file(.open(["vehicles": .list(vehicle("vehicle_id"))])))),
      Check(
        "the vehicles of version 2", "/gbfs/free_bike_status",
        expects: .orNull(file(.open(["bikes": .list(vehicle("bike_id"))])))),
      Check("bikes and stations", "/bikes", expects: .list(.any)),
    ]
  }

  private static func file(_ data: Contract) -> Contract {
    .open(["last_updated": .either([count, .string]), "ttl": count, "data": data])
  }

  private static let files = Contract.open(["feeds": .list(.open(["name": .string, "url": .string]))])
  private static let text = Contract.either([.string, .list(.open(["text": .string, "language": .string]))])
  private static let count = Contract.int(0 ... .max)
  /// Version 1 has 0 and 1.
  private static let flag = Contract.either([.bool, .int(0...1)])

  private static let stationStatus = Contract.open([
    "station_id": .string, "is_installed": flag, "is_renting": flag, "is_returning": flag,
    "num_vehicles_available": .orAbsent(count), "num_bikes_available": .orAbsent(count),
    "num_docks_available": .optional(count),
  ])

  private static func vehicle(_ id: String) -> Contract {
    .open([
      id: .string, "lat": .optional(.number), "lon": .optional(.number), "is_reserved": flag,
      "is_disabled": flag,
    ])
  }
}
