import JSON
import System

/// A bike as the service sends it.
struct Bike: Equatable, Sendable {
  /// Always text: the original server has strings for the bikes it began with and numbers for those added.
  var id: String
  var name: String
  /// As it was sent: the original server accepts any text as a color.
  var color: String
  /// Nil if the service does not show it to this user.
  var pin: Pin?
  var place: Place
  var isRented: Bool
  /// The user who added it, if the service has users.
  var owner: String?

  var frameColor: FrameColor? { FrameColor(color) }

  /// The same bike with new values.
  func taking(_ profile: BikeProfile) -> Bike {
    var bike = self
    (bike.name, bike.color, bike.pin, bike.place) = (profile.name, profile.color, profile.pin, profile.place)
    return bike
  }
}

extension Bike {
  init(_ json: JSON) throws(Failure) {
    let id = json["id"]
    self.id = id.kind == .number ? String(try id.int) : try id.string
    name = try json["name"].string
    color = try json["color"].string
    let pin = json["pin"]
    self.pin = try pin.orNull.map { pin throws(Failure) in try Pin(reading: pin) }
    place = try Place(json["location"])
    isRented = try json["rented"].orNull?.bool ?? false
    owner = try json["owner"].orNull?.string
  }

  /// The JSON of the contract, in the original's order; our own members come last.
  func write(to writer: inout JSONWriter, pin: Pin?) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("color", color)
      writer.member("pin", pin?.digits)
      writer.member("location", place.write)
      writer.member("rented", isRented)
      if let owner {
        writer.member("owner", owner)
      }
    }
  }
}

extension Place {
  init(_ json: JSON) throws(Failure) {
    let (latitude, longitude) = (json["latitude"], json["longitude"])
    guard Place.latitudes.contains(try latitude.double) else {
      throw latitude.invalid("expected a latitude from -90 to 90")
    }
    guard Place.longitudes.contains(try longitude.double),
      let place = Place(latitude: try latitude.double, longitude: try longitude.double)
    else { throw longitude.invalid("expected a longitude from -180 to 180") }
    self = place
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("latitude", latitude)
      writer.member("longitude", longitude)
    }
  }
}

/// The values of a bike that its owner sets: a bike without an id.
struct BikeProfile: Equatable, Sendable {
  var name: String
  var color: String
  var pin: Pin
  var place: Place
}

extension BikeProfile {
  /// Reads and validates a request; the failure names the field and never contains the PIN.
  init(_ json: JSON) throws(Failure) {
    let name = json["name"]
    if let fault = BikeName.problem(try name.string) { throw name.invalid(fault) }
    self.name = try name.string
    let color = json["color"]
    guard let kept = FrameColor.normalized(try color.string) else {
      throw color.invalid("expected \(FrameColor.wanted)")
    }
    self.color = kept
    guard let pin = Pin(try json["pin"].string) else { throw json["pin"].invalid("expected \(Pin.wanted)") }
    self.pin = pin
    place = try Place(json["location"])
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("color", color)
      writer.member("pin", pin.digits)
      writer.member("location", place.write)
    }
  }

  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}

/// The rules for the name of a bike: visible, one line, short enough for a list.
enum BikeName {
  static let longest = 100

  /// Why a name is invalid; nil if it is valid.
  static func problem(_ name: String) -> String? {
    if name.allSatisfy(\.isWhitespace) { return "the name is empty" }
    if name.utf8.count > longest {
      return "the name has \(name.utf8.count) bytes, and \(longest) are allowed"
    }
    if name.terminalSafe != name { return "the name has control or invisible characters" }
    return nil
  }
}

/// The number of a padlock: exactly four ASCII digits. Its description is masked, so no message shows it by
/// accident.
struct Pin: Equatable, Sendable, CustomStringConvertible {
  let digits: String

  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 4, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    digits = String(text)
  }

  static let wanted = "exactly four digits, 0000 to 9999"

  var description: String { "••••" }
}

extension Pin {
  /// The original server stores what it is sent, so the PIN may be a number.
  fileprivate init(reading json: JSON) throws(Failure) {
    guard let pin = Pin(json.kind == .number ? String(try json.int) : try json.string) else {
      throw json.invalid("expected a PIN of four digits")
    }
    self = pin
  }
}

/// A bike in a list, with its distance from the user's position.
struct FoundBike: Sendable, Equatable {
  let bike: Bike
  /// The distance in metres, if a position is known.
  let distance: Double?

  init(_ bike: Bike, from place: Place?) {
    self.bike = bike
    distance = place.map { $0.distance(to: bike.place) }
  }

  var metres: Int? { distance.map { Int($0.rounded()) } }

  /// Nearest first; without a position in the order of the service.
  static func sorted(_ bikes: [Bike], from place: Place?) -> [FoundBike] {
    let found = bikes.map { FoundBike($0, from: place) }
    guard place != nil else { return found }
    return found.enumerated().sorted { a, b in
      let (x, y) = (a.element.distance ?? .infinity, b.element.distance ?? .infinity)
      return x == y ? a.offset < b.offset : x < y
    }.map(\.element)
  }
}
