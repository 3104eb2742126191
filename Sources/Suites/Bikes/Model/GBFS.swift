import JSON
import System

/// Files of the General Bikeshare Feed Specification for the free bikes. They contain neither PINs nor names of people.
struct GBFS {
  enum Version: String, CaseIterable, Sendable {
    case three = "3.0"
    case two = "2.3"
  }

  let version: Version
  /// The URL of the directory with a directory per version, with a slash at the end.
  let base: String
  let system: FeedSystem
  let time: Timestamp

  var names: [String] { ["gbfs.json", "system_information.json", "vehicle_types.json", statusName] }

  var statusName: String { version == .three ? "vehicle_status.json" : "free_bike_status.json" }

  /// Seconds until a file may change. Bikes change often, the rest only with a setting.
  static func ttl(_ name: String) -> Int { name.hasSuffix("_status.json") ? 60 : 3600 }

  /// A file except the one of free bikes; nil for unknown names.
  func file(_ name: String) -> [UInt8]? {
    switch name {
    case "gbfs.json": framed(name, discovery)
    case "system_information.json": framed(name) { system.write(to: &$0, version) }
    case "vehicle_types.json": framed(name, vehicleTypes)
    default: nil
    }
  }

  func status(_ jsonOfVehicles: some Sequence<[UInt8]>) -> [UInt8] {
    let key = Array((version == .three ? #"{"vehicle_id":"# : #"{"bike_id":"#).utf8)
    // Drops the closing brackets and the line feed: `]}}`.
    var file = framed(statusName) { $0.array(version == .three ? "vehicles" : "bikes") { _ in } }.dropLast(4)
    for json in jsonOfVehicles {
      if file.last != UInt8(ascii: "[") { file.append(UInt8(ascii: ",")) }
      file += key
      file += json
    }
    return file + Array("]}}\n".utf8)
  }

  private func framed(_ name: String, _ data: (inout JSONWriter) -> Void) -> [UInt8] {
    JSONWriter.object { writer in
      // Version 3 has RFC 3339, version 2 seconds.
      switch version {
      case .three: writer.member("last_updated", time.utc)
      case .two: writer.member("last_updated", time.seconds)
      }
      writer.member("ttl", GBFS.ttl(name))
      writer.member("version", version.rawValue)
      writer.object("data", data)
    } + [UInt8(ascii: "\n")]
  }

  private func discovery(_ writer: inout JSONWriter) {
    func feeds(_ writer: inout JSONWriter) {
      writer.array("feeds") { writer in
        for name in names {
          writer.object { writer in
            writer.member("name", String(name.dropLast(5)))
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

  /// A free bike in the feed, with an id until its next ride.
  struct Vehicle {
    let id: String
    let place: Place
    let isDisabled: Bool

    fileprivate static let type = "bike"

    /// The JSON after the key of the id, whose name depends on the version.
    var json: [UInt8] {
      let object = JSONWriter.object { writer in
        writer.member("", id)
        writer.member("lat", place.latitude)
        writer.member("lon", place.longitude)
        writer.member("is_reserved", false)
        writer.member("is_disabled", isDisabled)
        writer.member("vehicle_type_id", Vehicle.type)
      }
      return Array(object.dropFirst(#"{"":"#.utf8.count))
    }
  }
}

/// The description of a server in its own feed.
struct FeedSystem: Sendable {
  var id = "hw_bikes"
  var name = "Community bikes"
  var operatorName: String?
  var timeZone = "Etc/UTC"
  var licenseURL: String?
  var email = "nobody@example.org"

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

  /// Version 3 has localized texts.
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
