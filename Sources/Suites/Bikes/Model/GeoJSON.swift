import JSON
import System

/// Bikes as GeoJSON (RFC 7946), with the longitude first.
enum GeoJSON {
  static func text(of bikes: [FoundBike], showsPins: Bool = false) -> [UInt8] {
    JSONWriter.object { writer in
      writer.member("type", "FeatureCollection")
      writer.array("features") { writer in
        for found in bikes { feature(found, showsPins: showsPins, &writer) }
      }
    } + [UInt8(ascii: "\n")]
  }

  private static func feature(_ found: FoundBike, showsPins: Bool, _ writer: inout JSONWriter) {
    let bike = found.bike
    writer.object { writer in
      writer.member("type", "Feature")
      writer.member("id", bike.id)
      writer.object("geometry") { writer in
        writer.member("type", "Point")
        writer.array("coordinates") { writer in
          writer.double(bike.place.longitude)
          writer.double(bike.place.latitude)
        }
      }
      writer.object("properties") { writer in
        writer.member("name", bike.name)
        writer.member("color", bike.color)
        writer.member("rented", bike.isRented)
        if let distance = found.meters { writer.member("distance", distance) }
        if showsPins, let pin = bike.pin { writer.member("pin", pin.digits) }
        if let owner = bike.owner { writer.member("owner", owner) }
        bike.offer?.writeMembers(to: &writer)
        if bike.state != .available { writer.member("state", bike.state.rawValue) }
        // The color of the point in map programs.
        if let color = bike.frameColor { writer.member("marker-color", "#\(color.hex)") }
      }
    }
  }
}

extension BikeProfile {
  /// Parses a point with the properties `name`, `color` and `pin`.
  init(feature: JSON) throws(Failure) {
    let (geometry, properties) = (feature["geometry"], feature["properties"])
    guard try geometry["type"].string == "Point" else { throw geometry["type"].invalid("expected a Point") }
    let name = try BikeName.read(properties["name"])
    let color = try FrameColor.read(properties["color"])
    let pin = try Pin.read(properties["pin"])
    let coordinates = geometry["coordinates"]
    guard
      let place = Place(latitude: try coordinates[1].double, longitude: try coordinates[0].double)
    else { throw coordinates.invalid("expected longitude and latitude in degrees") }
    self.init(name: name, color: color, pin: pin, place: place)
  }
}
