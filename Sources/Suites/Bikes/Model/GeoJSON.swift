import JSON
import System

/// Bikes as RFC 7946 has places: longitude first.
enum GeoJSON {
  /// A collection of points with what a map may say of them; no PIN.
  static func text(of bikes: [FoundBike]) -> [UInt8] {
    collection(bikes) { found, writer in feature(found.bike, distance: found.meters, pin: nil, &writer) }
  }

  static func collection<Item>(_ items: [Item], _ feature: (Item, inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("type", "FeatureCollection")
      writer.array("features") { writer in
        for item in items { feature(item, &writer) }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// Writes a bike as a feature whose geometry is a point.
  static func feature(_ bike: Bike, distance: Int?, pin: Pin?, _ writer: inout JSONWriter) {
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
        if let distance {
          writer.member("distance", distance)
        }
        if let pin {
          writer.member("pin", pin.digits)
        }
        if let owner = bike.owner {
          writer.member("owner", owner)
        }
        bike.offer?.writeMembers(to: &writer)
        if bike.state != .available {
          writer.member("state", bike.state.rawValue)
        }
        // What map programs color a point by.
        if let color = bike.frameColor {
          writer.member("marker-color", "#\(color.hex)")
        }
      }
    }
  }
}

extension BikeProfile {
  /// Reads a point with the properties `name`, `color` and `pin`.
  init(feature: JSON) throws(Failure) {
    let (geometry, properties) = (feature["geometry"], feature["properties"])
    guard try geometry["type"].string == "Point" else {
      throw geometry["type"].invalid("expected a Point")
    }
    let name = properties["name"]
    if let fault = BikeName.problem(try name.string) { throw name.invalid(fault) }
    guard let color = FrameColor.normalized(try properties["color"].string) else {
      throw properties["color"].invalid("expected \(FrameColor.expected)")
    }
    guard let pin = Pin(try properties["pin"].string) else {
      throw properties["pin"].invalid("expected \(Pin.expected)")
    }
    let coordinates = geometry["coordinates"]
    guard
      let place = Place(latitude: try coordinates[1].double, longitude: try coordinates[0].double)
    else { throw coordinates.invalid("expected longitude and latitude in degrees") }
    self.init(name: try name.string, color: color, pin: pin, place: place)
  }
}
