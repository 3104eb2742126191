import HTTP
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
  /// Where the folders of the versions are, with a slash at the end.
  let base: String
  let time: Timestamp
  let free: [Vehicle]

  init(_ version: Version, base: String, at time: Timestamp, free: [Vehicle]) {
    self.version = version
    self.base = base
    self.time = time
    self.free = free
  }

  /// A bike as the feed has it: where it stands, under a name for the time being.
  struct Vehicle {
    let name: String
    let place: Place

    /// Another name whenever `state` is another, as the specification wants it after a ride. Ids are few, and places
    /// public: who does not know the secret finds no bike by trying them out.
    init(_ bike: Bike, _ state: String, secret: String) {
      name = String(SHA256.hex(Array("\(secret) \(bike.id) \(state)".utf8)).prefix(16))
      place = bike.place
    }
  }

  /// The names of the files.
  var names: [String] {
    ["gbfs.json", "system_information.json", "vehicle_types.json", statusName]
  }

  private var statusName: String { version == .three ? "vehicle_status.json" : "free_bike_status.json" }

  /// The file of that name; nil where the feed has none.
  func file(_ name: String) -> [UInt8]? {
    switch name {
    case "gbfs.json": framed(discovery)
    case "system_information.json": framed(systemInformation)
    case "vehicle_types.json": framed(vehicleTypes)
    case statusName: framed(vehicles)
    default: nil
    }
  }

  private func framed(_ data: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("last_updated", stamp)
      // Bikes come and go: nothing is valid for longer than it takes to ask again.
      writer.member("ttl", 0)
      writer.member("version", version.rawValue)
      writer.object("data", data)
    }
    writer.newline()
    return writer.bytes
  }

  /// Version 3 writes times as RFC 3339, version 2 as seconds.
  private func stamp(_ writer: inout JSONWriter) {
    switch version {
    case .three:
      let text = WallTime(time).seconds
      writer.string("\(text.prefix(10))T\(text.suffix(8))Z")
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
    writer.object("en") { feeds(&$0) }
  }

  private func systemInformation(_ writer: inout JSONWriter) {
    writer.member("system_id", "hw_bikes")
    switch version {
    case .three:
      writer.array("languages") { $0.string("en") }
      texts("name", "Community bikes", &writer)
      writer.member("opening_hours", "24/7")
      writer.member("feed_contact_email", "nobody@example.org")
    case .two:
      writer.member("language", "en")
      writer.member("name", "Community bikes")
    }
    writer.member("timezone", "Etc/UTC")
  }

  private func vehicleTypes(_ writer: inout JSONWriter) {
    writer.array("vehicle_types") { writer in
      writer.object { writer in
        writer.member("vehicle_type_id", "bike")
        writer.member("form_factor", "bicycle")
        writer.member("propulsion_type", "human")
        switch version {
        case .three: texts("name", "Bike", &writer)
        case .two:
          writer.member("name", "Bike")
        }
        writer.member("return_constraint", "free_floating")
      }
    }
  }

  private func vehicles(_ writer: inout JSONWriter) {
    writer.array(version == .three ? "vehicles" : "bikes") { writer in
      for bike in free {
        writer.object { writer in
          writer.member(version == .three ? "vehicle_id" : "bike_id", bike.name)
          writer.member("lat", bike.place.latitude)
          writer.member("lon", bike.place.longitude)
          writer.member("is_reserved", false)
          writer.member("is_disabled", false)
          writer.member("vehicle_type_id", "bike")
        }
      }
    }
  }

  /// Version 3 has every text for people in languages.
  private func texts(_ name: String, _ text: String, _ writer: inout JSONWriter) {
    writer.array(name) { writer in
      writer.object { writer in
        writer.member("text", text)
        writer.member("language", "en")
      }
    }
  }
}
