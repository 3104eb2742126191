import JSON
import System

/// The General Bikeshare Feed Specification, of the free bikes: the files of a feed, by their names. PINs and names of
/// people are not in it.
struct GBFS {
  enum Version: String, CaseIterable, Sendable {
    case three = "3.0"
    case two = "2.3"
  }

  let version: Version
  /// The URL of the directory that contains one directory per version, with a trailing slash.
  let base: String
  let system: FeedSystem
  /// When the data of a file has changed last.
  let time: Timestamp

  /// The names of the files.
  var names: [String] {
    ["gbfs.json", "system_information.json", "vehicle_types.json", statusName]
  }

  var statusName: String { version == .three ? "vehicle_status.json" : "free_bike_status.json" }

  /// The seconds after which a file may have changed. Bikes come and go; the rest changes with a setting.
  static func ttl(_ name: String) -> Int { name.hasSuffix("_status.json") ? 60 : 3600 }

  /// The file of that name; nil where the feed has none, and for the file of the free bikes.
  func file(_ name: String) -> [UInt8]? {
    switch name {
    case "gbfs.json": framed(name, discovery)
    case "system_information.json": framed(name) { system.write(to: &$0, version) }
    case "vehicle_types.json": framed(name, vehicleTypes)
    default: nil
    }
  }

  /// The file of the free bikes, from the JSON of each (`Vehicle.json`).
  func status(_ vehicles: some Sequence<[UInt8]>) -> [UInt8] {
    let key = Array((version == .three ? #"{"vehicle_id":"# : #"{"bike_id":"#).utf8)
    // Without its last brackets, and the line feed: `]}}`.
    var file = framed(statusName) { $0.array(version == .three ? "vehicles" : "bikes") { _ in } }.dropLast(4)
    for vehicle in vehicles {
      if file.last != UInt8(ascii: "[") { file.append(UInt8(ascii: ",")) }
      file += key
      file += vehicle
    }
    return file + Array("]}}\n".utf8)
  }

  private func framed(_ name: String, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("last_updated", stamp)
      writer.member("ttl", GBFS.ttl(name))
      writer.member("version", version.rawValue)
      writer.object("data", data)
    }
    writer.newline()
    return writer.bytes
  }

  /// Version 3 writes times as RFC 3339, version 2 as seconds.
  private func stamp(_ writer: inout JSONWriter) {
    switch version {
    case .three: writer.string(time.utc)
    case .two: writer.integer(time.seconds)
    }
  }

  private func discovery(_ writer: inout JSONWriter) {
    func feeds(_ writer: inout JSONWriter) {
      writer.array("feeds") { writer in
        for name in names {
          writer.object { writer in
            writer.member("name", name.dropLast(5))
            writer.member("url", "\(base)\(version.rawValue)/\(name)")
          }
        }
      }
    }
    guard version == .two else { return feeds(&writer) }
    writer.object(FeedSystem.language) { feeds(&$0) }
  }

  private func vehicleTypes(_ writer: inout JSONWriter) {
    writer.array("vehicle_types") { writer in
      writer.object { writer in
        writer.member("vehicle_type_id", Vehicle.type)
        writer.member("form_factor", "bicycle")
        writer.member("propulsion_type", "human")
        FeedSystem.write("name", "Bike", to: &writer, version)
        writer.member("return_constraint", "free_floating")
      }
    }
  }

  /// A bike that is not rented as the feed has it: its place, under an id that it has until its next ride.
  struct Vehicle {
    let id: String
    let place: Place
    /// Whether the bike is withdrawn or missing.
    let isDisabled: Bool

    fileprivate static let type = "bike"

    /// The JSON after the key of the id, which each version calls otherwise.
    var json: [UInt8] {
      var writer = JSONWriter()
      writer.string(id)
      writer.bytes.append(UInt8(ascii: ","))
      var rest = JSONWriter()
      rest.object { writer in
        writer.member("lat", place.latitude)
        writer.member("lon", place.longitude)
        writer.member("is_reserved", false)
        writer.member("is_disabled", isDisabled)
        writer.member("vehicle_type_id", Vehicle.type)
      }
      return writer.bytes + rest.bytes.dropFirst()
    }
  }
}

/// The system behind a feed, as its operator describes it.
struct FeedSystem: Sendable {
  var id = "hw_bikes"
  var name = "Community bikes"
  var operatorName: String?
  var timeZone = "Etc/UTC"
  var licenseURL: String?
  var email = "nobody@example.org"

  /// The language of all texts.
  static let language = "en"

  fileprivate func write(to writer: inout JSONWriter, _ version: GBFS.Version) {
    writer.member("system_id", id)
    switch version {
    case .three:
      writer.array("languages") { $0.string(FeedSystem.language) }
      writer.member("opening_hours", "24/7")
    case .two: writer.member("language", FeedSystem.language)
    }
    FeedSystem.write("name", name, to: &writer, version)
    if let operatorName { FeedSystem.write("operator", operatorName, to: &writer, version) }
    writer.member("feed_contact_email", email)
    writer.member("timezone", timeZone)
    if let licenseURL { writer.member("license_url", licenseURL) }
  }

  /// Version 3 has every text for people in languages.
  fileprivate static func write(
    _ name: String, _ text: String, to writer: inout JSONWriter, _ version: GBFS.Version
  ) {
    guard version == .three else { return writer.member(name, text) }
    writer.array(name) { writer in
      writer.object { writer in
        writer.member("text", text)
        writer.member("language", language)
      }
    }
  }
}
