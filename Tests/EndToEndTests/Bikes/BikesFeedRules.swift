import Command
import Foundation
import JSON

/// What the public schemas of the General Bikeshare Feed want of the files that hw writes: every field that they
/// require, and those beyond that hw may use. A field that is not here is a finding too.
enum BikesFeedRules {
  /// By version and name of the file, without its ending.
  static let files: [String: [(name: String, data: Contract)]] = [
    "3.0": [
      ("gbfs", .object(["feeds": feeds("vehicle_status", beside: ["vehicle_types", "system_information"])])),
      (
        "system_information",
        .object([
          "system_id": .string, "languages": .list(language, count: 1 ... .max), "name": texts,
          "operator": .orAbsent(texts), "opening_hours": openingHours, "feed_contact_email": email,
          "timezone": zone,
          "license_id": .orAbsent(.string), "license_url": .orAbsent(address), "url": .orAbsent(address),
        ])
      ),
      ("vehicle_types", .object(["vehicle_types": .list(type(named: texts), count: 1 ... .max)])),
      ("vehicle_status", .object(["vehicles": .list(vehicle(id: "vehicle_id"), count: 1 ... .max)])),
    ],
    "2.3": [
      (
        "gbfs",
        .object([
          "en": .object([
            "feeds": feeds("free_bike_status", beside: ["vehicle_types", "system_information"])
          ])
        ])
      ),
      (
        "system_information",
        .object([
          "system_id": .string, "language": language, "name": .string, "timezone": zone,
          "operator": .orAbsent(.string),
          "feed_contact_email": .orAbsent(email), "license_url": .orAbsent(address),
          "url": .orAbsent(address),
        ])
      ),
      ("vehicle_types", .object(["vehicle_types": .list(type(named: .string), count: 1 ... .max)])),
      ("free_bike_status", .object(["bikes": .list(vehicle(id: "bike_id"), count: 1 ... .max)])),
    ],
  ]

  /// What the schemas say of numbers, which a shape does not, and of names: no two are the same.
  static func strayVehicles(_ vehicles: JSON, id: String) throws -> [String] {
    var names: Set<String> = []
    return try vehicles.array.filter { vehicle in
      let isOnEarth =
        try (-90...90).contains(vehicle["lat"].double) && (-180...180).contains(vehicle["lon"].double)
      return try !names.insert(vehicle[id].string).inserted || !isOnEarth
    }.map(\.path)
  }

  /// What a file of that version says besides its data.
  static func file(_ version: String, _ data: Contract) -> Contract {
    .object([
      "last_updated": version == "3.0" ? moment : .int(1_450_155_600 ... .max), "ttl": .int(0 ... .max),
      "version": .choice([version]), "data": data,
    ])
  }

  private static func feeds(_ status: String, beside others: [String]) -> Contract {
    let names = ["gbfs", status] + others
    return .list(.object(["name": .choice(names), "url": address]), count: names.count...names.count)
  }

  private static func type(named name: Contract) -> Contract {
    .object([
      "vehicle_type_id": .string,
      "form_factor": .choice([
        "bicycle", "cargo_bicycle", "car", "moped", "scooter_standing", "scooter_seated", "other",
      ]),
      // With a motor its range would be wanted as well.
      "propulsion_type": .choice(["human"]), "name": .orAbsent(name),
      "return_constraint": .orAbsent(
        .choice(["free_floating", "roundtrip_station", "any_station", "hybrid"])),
    ])
  }

  private static func vehicle(id: String) -> Contract {
    .object([
      id: .string, "lat": .number, "lon": .number, "is_reserved": .bool, "is_disabled": .bool,
      "vehicle_type_id": .string,
    ])
  }

  /// Every text for people, in languages.
  private static let texts: Contract = .list(
    .object(["text": .string, "language": language]), count: 1 ... .max)

  private static let language = form("a language", "^[a-z]{2,3}(-[A-Z]{2})?$")
  private static let moment = form(
    "a time of RFC 3339",
    #"^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](Z|[+-][0-9]{2}:[0-9]{2})$"#)
  private static let email = form("an e-mail address", #"^[^@ ]+@[a-z0-9-]+(\.[a-z0-9-]+)+$"#)
  /// A URI of RFC 3986 with all that leads to a file: its characters and no others, `%` with two digits.
  private static let address = form(
    "an address",
    #"^https?://([A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+(:[0-9]+)?(/([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+$"#
  )
  private static let openingHours = form("hours of OpenStreetMap", #"^(24/7|[A-Z][a-z].*)$"#)
  private static let zone: Contract = .text("a time zone") {
    TimeZone(identifier: $0) != nil && $0.contains("/")
  }

  private static func form(_ name: String, _ pattern: String) -> Contract {
    .text(name) { $0.range(of: pattern, options: .regularExpression) != nil }
  }
}
