import JSON
import System

struct Bike: Equatable, Sendable {
  /// Always text. The original server sends strings for its initial bikes and numbers for added ones.
  var id: String
  var name: String
  /// As sent: the original server accepts any text.
  var color: String
  /// The PIN; nil if the service does not show it to this user.
  var pin: Pin?
  var place: Place
  var isRented: Bool
  var owner: String?
  /// The renter. Shown to the renter, the owner and admins.
  var renter: String?
  /// The offer of a feed; nil for a bike of a server.
  var offer: Offer?
  var state = BikeState.available
  /// The number of people who have known the PIN since it was changed. Shown to the owner and admins.
  var pinReaders: Int?

  var isFree: Bool { !isRented && state == .available }

  /// For tables and screens: free, rented, withdrawn or missing.
  var condition: String {
    guard state == .available else { return state.rawValue }
    return isRented ? "rented" : "free"
  }

  var frameColor: FrameColor? { FrameColor(color) }

  /// Returns the changed bike. A PIN that is neither known nor changed remains nil.
  func applying(_ change: BikeChange) -> Bike {
    var bike = self
    bike.name = change.name ?? name
    bike.color = change.color ?? color
    bike.pin = change.pin ?? pin
    bike.place = change.place ?? place
    bike.state = change.state ?? state
    return bike
  }
}

extension Bike {
  init(_ json: JSON) throws(Failure) {
    id = try json["id"].stringOrNumber
    name = try json["name"].string
    color = try json["color"].string
    pin = try json["pin"].orNull.map { pin throws(Failure) in try Pin.readStored(pin) }
    place = try Place(json["location"])
    isRented = json["rented"].kind == .absent ? false : try json["rented"].bool
    owner = try json["owner"].orNull?.string
    renter = try json["renter"].orNull?.string
    offer = try json["offer"].orNull.map { offer throws(Failure) in try Offer(offer) }
    state = try json["state"].orNull.map { state throws(Failure) in try BikeState(state) } ?? .available
    pinReaders = try json["pinReaders"].orNull?.int
  }

  /// Writes the members in the order of the original, followed by our own. Returns the position of the PIN.
  @discardableResult
  func write(to writer: inout JSONWriter, pin: Pin?) -> Int {
    var pinPosition = 0
    writer.object { writer in
      writer.member("id", id)
      writer.member("name", name)
      writer.member("color", color)
      writer.key("pin")
      pinPosition = writer.bytes.count
      if let pin { writer.string(pin.digits) } else { writer.null() }
      writer.member("location", place.write)
      writer.member("rented", isRented)
      if let owner { writer.member("owner", owner) }
      if let renter { writer.member("renter", renter) }
      if let offer { writer.member("offer", offer.write) }
      if state != .available { writer.member("state", state.rawValue) }
      if let pinReaders { writer.member("pinReaders", pinReaders) }
    }
    return pinPosition
  }
}

/// The owner's declaration whether a bike can be rented. Does not affect a rental in progress.
enum BikeState: String, CaseIterable, Sendable {
  case available, withdrawn, missing

  init(_ json: JSON) throws(Failure) {
    guard let state = BikeState(rawValue: try json.string) else {
      throw json.invalid("expected available, withdrawn or missing")
    }
    self = state
  }
}

extension JSON {
  /// A string. Services also send ids and PINs as numbers, which are accepted.
  var stringOrNumber: String { get throws(Failure) { kind == .number ? String(try int) : try string } }

  var timestamp: Timestamp { get throws(Failure) { Timestamp(seconds: Int64(try int)) } }
}

extension Place {
  init(_ json: JSON) throws(Failure) {
    let (latitude, longitude) = (json["latitude"], json["longitude"])
    guard Place.latitudes.contains(try latitude.double) else {
      throw latitude.invalid("expected a latitude from -90 to 90")
    }
    guard let place = Place(latitude: try latitude.double, longitude: try longitude.double)
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

/// The values of a bike that its owner chooses when it is added.
struct BikeProfile: Hashable, Sendable {
  var name: String
  var color: String
  var pin: Pin
  var place: Place
}

struct BikeChange: Equatable, Sendable {
  var name: String?
  var color: String?
  var pin: Pin?
  var place: Place?
  var state: BikeState?

  func changedMembers(of bike: Bike) -> [String] {
    [
      ("name", name != nil && name != bike.name), ("color", color != nil && color != bike.color),
      ("pin", pin != nil && pin != bike.pin), ("location", place != nil && place != bike.place),
      ("state", state != nil && state != bike.state),
    ].compactMap { member, isChanged in isChanged ? member : nil }
  }

  /// The changed profile. `pin` is the bike's PIN, which services may not show.
  func profile(of bike: Bike, pin: Pin) -> BikeProfile {
    let bike = bike.applying(self)
    return BikeProfile(name: bike.name, color: bike.color, pin: bike.pin ?? pin, place: bike.place)
  }

  var isEmpty: Bool { self == BikeChange() }
}

extension BikeChange {
  init(_ profile: BikeProfile) {
    self.init(name: profile.name, color: profile.color, pin: profile.pin, place: profile.place)
  }

  /// Validates a request with at least one member. The failure never contains the PIN.
  init(_ json: JSON) throws(Failure) {
    name = try json["name"].orNull.map { name throws(Failure) in try BikeName.read(name) }
    color = try json["color"].orNull.map { color throws(Failure) in try FrameColor.read(color) }
    pin = try json["pin"].orNull.map { pin throws(Failure) in try Pin.read(pin) }
    place = try json["location"].orNull.map { place throws(Failure) in try Place(place) }
    state = try json["state"].orNull.map { state throws(Failure) in try BikeState(state) }
    guard !isEmpty else { throw json.invalid("expected one or more of name, color, pin, location and state") }
  }

  var bytes: [UInt8] { JSONWriter.object(writeMembers) }

  func writeMembers(to writer: inout JSONWriter) {
    if let name { writer.member("name", name) }
    if let color { writer.member("color", color) }
    if let pin { writer.member("pin", pin.digits) }
    if let place { writer.member("location", place.write) }
    if let state { writer.member("state", state.rawValue) }
  }
}

extension BikeName {
  static func read(_ json: JSON) throws(Failure) -> String {
    if let fault = problem(try json.string) { throw json.invalid(fault) }
    return try json.string
  }
}

extension FrameColor {
  static func read(_ json: JSON) throws(Failure) -> String {
    guard let color = FrameColor(try json.string)?.hex else { throw json.invalid("expected \(expected)") }
    return color
  }
}

extension BikeProfile {
  /// Validates a request. The failure names the field and never contains the PIN.
  init(_ json: JSON) throws(Failure) {
    name = try BikeName.read(json["name"])
    color = try FrameColor.read(json["color"])
    pin = try Pin.read(json["pin"])
    place = try Place(json["location"])
  }
}

enum BikeName {
  static let longest = 100

  /// The reason why a name is invalid; nil for a valid one.
  @Sendable static func problem(_ name: String) -> String? {
    if name.utf8.count > longest {
      return "the name has \(name.utf8.count) bytes, and \(longest) are allowed"
    }
    if name.allSatisfy(\.isWhitespace) { return "the name is empty" }
    if name.terminalSafe != name { return "the name has control or invisible characters" }
    return nil
  }
}

/// The number of a padlock. Its description is masked, so that no message shows it by accident.
struct Pin: Hashable, Sendable, CustomStringConvertible {
  let digits: String

  init?(_ text: some StringProtocol) {
    guard text.utf8.count == 4, text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
    digits = String(text)
  }

  static let expected = "exactly four digits, 0000 to 9999"

  var description: String { "••••" }

  static func read(_ json: JSON) throws(Failure) -> Pin {
    guard let pin = Pin(try json.string) else { throw json.invalid("expected \(expected)") }
    return pin
  }

  /// Accepts numbers, because the original server stores what it receives.
  fileprivate static func readStored(_ json: JSON) throws(Failure) -> Pin {
    guard let pin = Pin(try json.stringOrNumber) else { throw json.invalid("expected a PIN of four digits") }
    return pin
  }
}

/// A bike with its distance from the position of the user, if that is known.
struct FoundBike: Sendable, Equatable {
  let bike: Bike
  let distance: Double?

  init(_ bike: Bike, from place: Place?) {
    self.bike = bike
    distance = place.map { $0.distance(to: bike.place) }
  }

  var meters: Int? { distance.map { Int($0.rounded()) } }

  var facts: [(name: String, value: String)] {
    let offer = bike.offer
    let facts = [
      ("Color", bike.frameColor?.name ?? bike.color), ("Owner", bike.owner),
      ("Distance", meters.map(Sphere.text)), ("State", offer == nil ? bike.condition : nil),
      ("Available", offer.map { $0.available.map { "\($0)" } ?? "unknown" }),
      ("Place", bike.place.shown), ("Rental", offer?.rentalURL),
    ]
    return facts.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
  }

  /// Nearest first; without a position in the order of the service.
  static func sorted(_ bikes: [Bike], from place: Place?) -> [FoundBike] {
    // Stable: bikes at equal distances keep their order.
    bikes.map { FoundBike($0, from: place) }.sorted { a, b in
      (a.distance ?? .infinity) < (b.distance ?? .infinity)
    }
  }
}
