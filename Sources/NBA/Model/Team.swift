import JSON
import System

/// A club. The service keeps today's thirty and fifteen that are gone: few of them for very many games, so a team is
/// shared and not copied.
final class Team: Sendable {
  let id: Int
  let conference: String
  let division: String
  let city: String
  let name: String
  let fullName: String
  let abbreviation: String

  init(
    id: Int, conference: String, division: String, city: String, name: String, fullName: String,
    abbreviation: String
  ) {
    self.id = id
    self.conference = conference
    self.division = division
    self.city = city
    self.name = name
    self.fullName = fullName
    self.abbreviation = abbreviation
  }

  /// The conference of a club that is gone is blanks.
  var isCurrent: Bool { conference.utf8.contains { $0 != UInt8(ascii: " ") } }
}

extension Team {
  convenience init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    self.init(
      id: try members.int("id"), conference: try members.string("conference"),
      division: try members.string("division"), city: try members.string("city"),
      name: try members.string("name"), fullName: try members.string("full_name"),
      abbreviation: try members.string("abbreviation"))
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      for (name, value) in [
        ("conference", conference), ("division", division), ("city", city), ("name", name),
        ("full_name", fullName), ("abbreviation", abbreviation),
      ] {
        writer.member(name, value)
      }
    }
  }
}
