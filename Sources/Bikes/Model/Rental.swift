import JSON
import System

/// One time that somebody had a bike.
struct Rental: Equatable, Sendable {
  var id: String
  var bike: String
  var name: String
  /// Nil where the service knows no people.
  var renter: String?
  var rentedAt: Timestamp
  var from: Place
  /// Nil while the bike is out.
  var returnedAt: Timestamp?
  var to: Place?

  /// How far apart the two places are, in metres.
  var metres: Int? { to.map { Int(from.distance(to: $0).rounded()) } }
}

extension Rental {
  init(_ json: JSON) throws(Failure) {
    id = try json["id"].string
    bike = try json["bike"].string
    name = try json["name"].string
    renter = try json["renter"].orNull?.string
    rentedAt = Timestamp(seconds: Int64(try json["rentedAt"].int))
    from = try Place(json["from"])
    returnedAt = try json["returnedAt"].orNull.map { json throws(Failure) in
      Timestamp(seconds: Int64(try json.int))
    }
    to = try json["to"].orNull.map { json throws(Failure) in try Place(json) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("bike", bike)
      writer.member("name", name)
      writer.member("renter", renter)
      writer.member("rentedAt", rentedAt.seconds)
      writer.member("from", from.write)
      writer.member("returnedAt", returnedAt?.seconds)
      writer.member("to") { writer in
        if let to { to.write(to: &writer) } else { writer.null() }
      }
    }
  }
}
