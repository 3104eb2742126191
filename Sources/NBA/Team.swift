import JSON
import System

/// A club. The service keeps today's thirty and fifteen that are gone.
struct Team: Equatable, Sendable {
  var id: Int
  var conference: String
  var division: String
  var city: String
  var name: String
  var fullName: String
  var abbreviation: String

  /// The conference of a club that is gone is blanks.
  var isCurrent: Bool { conference.utf8.contains { $0 != UInt8(ascii: " ") } }
}

extension Team {
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    id = try members["id"].int
    conference = try members["conference"].string
    division = try members["division"].string
    city = try members["city"].string
    name = try members["name"].string
    fullName = try members["full_name"].string
    abbreviation = try members["abbreviation"].string
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.key("id")
      writer.integer(id)
      for (name, value) in [
        ("conference", conference), ("division", division), ("city", city), ("name", name),
        ("full_name", fullName), ("abbreviation", abbreviation),
      ] {
        writer.key(name)
        writer.string(value)
      }
    }
  }
}
