import JSON
import System

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
  var available: Int? { offer == nil ? isFree ? 1 : 0 : offer?.available }
}
