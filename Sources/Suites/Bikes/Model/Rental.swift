import JSON
import System

/// An entry of the history: a rental, or another change of a bike.
struct Rental: Equatable, Sendable {
  enum Action: String, CaseIterable, Sendable {
    case rent, add, edit, delete
  }

  var id: String
  var bike: String
  var name: String
  var action = Action.rent
  var by: String?
  var at: Timestamp
  /// The place at the start of the rental, or at the change.
  var from: Place
  /// The end of the rental; nil while the bike is rented.
  var returnedAt: Timestamp?
  var returnedBy: String?
  var to: Place?
  var changed: [String] = []

  var meters: Int? { to.map { Int(from.distance(to: $0).rounded()) } }
}

extension Rental {
  init(_ json: JSON) throws(Failure) {
    id = try json["id"].string
    bike = try json["bike"].string
    name = try json["name"].string
    let action = json["action"]
    guard let known = Action(rawValue: try action.string) else {
      throw action.invalid("expected rent, add, edit or delete")
    }
    self.action = known
    by = try json["by"].orNull?.string
    at = try json["at"].timestamp
    from = try Place(json["from"])
    returnedAt = try json["returnedAt"].orNull?.timestamp
    returnedBy = try json["returnedBy"].orNull?.string
    to = try json["to"].orNull.map { json throws(Failure) in try Place(json) }
    changed = try json["changed"].orNull?.array.map { json throws(Failure) in try json.string } ?? []
  }

  func write(to writer: inout JSONWriter) { writer.object { writeMembers(to: &$0) } }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("bike", bike)
    writer.member("name", name)
    writer.member("action", action.rawValue)
    writer.member("by", by)
    writer.member("at", at.seconds)
    writer.member("from", from.write)
    if action == .rent {
      writer.member("returnedAt", returnedAt?.seconds)
      writer.member("returnedBy", returnedBy)
      writer.member("to") { writer in
        if let to { to.write(to: &writer) } else { writer.null() }
      }
    }
    if action == .edit { writer.array("changed") { writer in for name in changed { writer.string(name) } } }
  }
}

/// An open rental with the PIN, if the user may see it.
struct OpenRental: Equatable, Sendable {
  var rental: Rental
  /// The current PIN, which the owner may have changed.
  var pin: Pin?
}

extension OpenRental {
  init(_ json: JSON) throws(Failure) {
    rental = try Rental(json)
    pin = try json["pin"].orNull.flatMap { json throws(Failure) in Pin(try json.string) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      rental.writeMembers(to: &writer)
      writer.member("pin", pin?.digits)
    }
  }
}
