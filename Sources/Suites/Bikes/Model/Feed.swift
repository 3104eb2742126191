import JSON
import System

/// The stations and vehicles in the feed of another operator, as bikes. Files are added one by one, stations first.
struct Feed {
  private(set) var bikes: [Bike] = []
  /// Stations and vehicles that are omitted because their position is missing.
  private(set) var withoutPlace = 0
  /// The index of each known station in `bikes`. The index is nil for a station without a position.
  private var stations: [String: Int?] = [:]

  func addingStations(_ data: JSON, _ language: String?) throws(Failure) -> Feed {
    var feed = self
    for json in try data["stations"].array {
      let id = try json["station_id"].stringOrNumber
      let place = FeedValue.place(json)
      feed.stations.updateValue(place == nil ? nil : feed.bikes.count, forKey: id)
      feed.add(
        id, FeedValue.text(json["name"], language) ?? "", at: place,
        Offer(kind: .station, rentalURL: Feed.rentalURL(json)))
    }
    return feed
  }

  func addingStatus(_ data: JSON) throws(Failure) -> Feed {
    var feed = self
    for json in try data["stations"].array {
      guard let known = feed.stations[try json["station_id"].stringOrNumber] else {
        feed.withoutPlace += 1
        continue
      }
      guard let index = known else { continue }
      /// The first number that the station has; 0 while it is closed.
      func number(_ names: [String], where flag: String) -> Int? {
        let isOpen = FeedValue.flag(json[flag]) ?? true
        guard isOpen, FeedValue.flag(json["is_installed"]) ?? true else { return 0 }
        return names.lazy.compactMap { FeedValue.integer(json[$0]) }.first.map { max(0, $0) }
      }
      feed.bikes[index].offer?.available = number(
        ["num_vehicles_available", "num_bikes_available"], where: "is_renting")
      feed.bikes[index].offer?.docks = number(["num_docks_available"], where: "is_returning")
    }
    return feed
  }

  /// Adds `vehicle_status`, or `free_bike_status` of version 2. Omits vehicles at a station, which counts them, unless
  /// only the vehicle has a position.
  func addingVehicles(_ data: JSON) throws(Failure) -> Feed {
    var feed = self
    let list = data["vehicles"].kind == .absent ? data["bikes"] : data["vehicles"]
    for json in try list.array {
      let id = json["vehicle_id"].kind == .absent ? json["bike_id"] : json["vehicle_id"]
      let place = FeedValue.place(json)
      let station = json["station_id"].orNull
      if let station, let known = feed.stations[try station.stringOrNumber], known != nil || place == nil {
        continue
      }
      let isFree = ![json["is_reserved"], json["is_disabled"]].contains { FeedValue.flag($0) ?? false }
      feed.add(
        try id.stringOrNumber, "", at: place,
        Offer(kind: .bike, available: isFree ? 1 : 0, rentalURL: Feed.rentalURL(json)))
    }
    return feed
  }

  private static func rentalURL(_ json: JSON) -> String? {
    FeedValue.link(["web", "android", "ios"], of: json["rental_uris"])
  }

  /// Vehicles that are not free count as rented.
  private mutating func add(_ id: String, _ name: String, at place: Place?, _ offer: Offer) {
    guard let place else {
      withoutPlace += 1
      return
    }
    // Ids are unique among stations and among vehicles, but not among both.
    let id = offer.kind == .bike && stations[id] != nil ? "bike:\(id)" : id
    bikes.append(
      Bike(
        id: id, name: name, color: "", pin: nil, place: place,
        isRented: offer.kind == .bike && offer.available == 0, offer: offer))
  }
}

/// A vehicle or station of a feed: the values that bikes of a server do not have.
struct Offer: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case bike
    case station
  }

  let kind: Kind
  /// Vehicles that can be rented; nil if the feed does not contain the number.
  var available: Int?
  /// Free docks of a station; nil if the feed does not contain the number.
  var docks: Int?
  var rentalURL: String?
}

extension Offer {
  init(_ json: JSON) throws(Failure) {
    guard let kind = Kind(rawValue: try json["kind"].string) else {
      throw json["kind"].invalid("expected bike or station")
    }
    self.init(
      kind: kind, available: try json["available"].orNull?.int, docks: try json["docks"].orNull?.int,
      rentalURL: try json["rentalURL"].orNull?.string)
  }

  func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", kind.rawValue)
    if let available { writer.member("available", available) }
    if let docks { writer.member("docks", docks) }
    if let rentalURL { writer.member("rentalURL", rentalURL) }
  }
}

extension Bike {
  var kind: Offer.Kind { offer?.kind ?? .bike }

  /// Vehicles that can be rented here: 0 or 1 for a bike of a server.
  var available: Int? { if let offer { offer.available } else { isFree ? 1 : 0 } }
}
