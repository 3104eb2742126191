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

  /// A bike as the feed has it: where it stands, under a name for the time being.
  struct Vehicle {
    let name: String
    let place: Place
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
      writer.key("last_updated")
      stamp(&writer)
      writer.key("ttl")
      // Bikes come and go: nothing is good for longer than it takes to ask again.
      writer.integer(0)
      writer.key("version")
      writer.string(version.rawValue)
      writer.key("data")
      writer.object(data)
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
      writer.key("feeds")
      writer.array { writer in
        for name in names {
          writer.object { writer in
            writer.key("name")
            writer.string(name.dropLast(5))
            writer.key("url")
            writer.string("\(base)\(version.rawValue)/\(name)")
          }
        }
      }
    }
    guard version == .two else { return feeds(&writer) }
    writer.key("en")
    writer.object { feeds(&$0) }
  }

  private func systemInformation(_ writer: inout JSONWriter) {
    writer.key("system_id")
    writer.string("hw_bikes")
    switch version {
    case .three:
      writer.key("languages")
      writer.array { $0.string("en") }
      texts("name", "Community bikes", &writer)
      writer.key("opening_hours")
      writer.string("24/7")
      writer.key("feed_contact_email")
      writer.string("nobody@example.org")
    case .two:
      writer.key("language")
      writer.string("en")
      writer.key("name")
      writer.string("Community bikes")
    }
    writer.key("timezone")
    writer.string("Etc/UTC")
  }

  private func vehicleTypes(_ writer: inout JSONWriter) {
    writer.key("vehicle_types")
    writer.array { writer in
      writer.object { writer in
        writer.key("vehicle_type_id")
        writer.string("bike")
        writer.key("form_factor")
        writer.string("bicycle")
        writer.key("propulsion_type")
        writer.string("human")
        switch version {
        case .three: texts("name", "Bike", &writer)
        case .two:
          writer.key("name")
          writer.string("Bike")
        }
        writer.key("return_constraint")
        writer.string("free_floating")
      }
    }
  }

  private func vehicles(_ writer: inout JSONWriter) {
    writer.key(version == .three ? "vehicles" : "bikes")
    writer.array { writer in
      for bike in free {
        writer.object { writer in
          writer.key(version == .three ? "vehicle_id" : "bike_id")
          writer.string(bike.name)
          writer.key("lat")
          writer.double(bike.place.latitude)
          writer.key("lon")
          writer.double(bike.place.longitude)
          writer.key("is_reserved")
          writer.bool(false)
          writer.key("is_disabled")
          writer.bool(false)
          writer.key("vehicle_type_id")
          writer.string("bike")
        }
      }
    }
  }

  /// Version 3 has every text for people in languages.
  private func texts(_ name: String, _ text: String, _ writer: inout JSONWriter) {
    writer.key(name)
    writer.array { writer in
      writer.object { writer in
        writer.key("text")
        writer.string(text)
        writer.key("language")
        writer.string("en")
      }
    }
  }
}
