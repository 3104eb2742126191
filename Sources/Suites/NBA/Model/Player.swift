import JSON
import System

/// A player. All members except the id and the names can be unknown.
struct Player: Identifiable, Sendable {
  static let positions = ["G", "F", "C", "G-F", "F-G", "F-C", "C-F", "G-C", "C-G"]

  var id: Int
  var firstName: String
  var lastName: String
  var position: String?
  /// Feet and inches, `6-8`.
  var height: String?
  /// Pounds, as text.
  var weight: String?
  var jerseyNumber: String?
  var college: String?
  var country: String?
  var draftYear: Int?
  var draftRound: Int?
  var draftNumber: Int?
  var team: Team?
}

extension Player {
  init(_ json: JSON) throws(Failure) {
    var members = try json.inOrder
    id = try members.int("id")
    firstName = try members.string("first_name")
    lastName = try members.string("last_name")
    position = try members.stringOrNull("position")
    height = try members.stringOrNull("height")
    weight = try members.stringOrNull("weight")
    jerseyNumber = try members.stringOrNull("jersey_number")
    college = try members.stringOrNull("college")
    country = try members.stringOrNull("country")
    draftYear = try members.intOrNull("draft_year")
    draftRound = try members.intOrNull("draft_round")
    draftNumber = try members.intOrNull("draft_number")
    team = try members["team"].orNull.map { json throws(Failure) in try Team(json) }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", id)
      for (name, value) in [
        ("first_name", firstName), ("last_name", lastName), ("position", position), ("height", height),
        ("weight", weight), ("jersey_number", jerseyNumber), ("college", college), ("country", country),
      ] {
        writer.member(name, value)
      }
      for (name, value) in [
        ("draft_year", draftYear), ("draft_round", draftRound), ("draft_number", draftNumber),
      ] {
        writer.member(name, value)
      }
      // The service omits the team of a player without one.
      if let team { writer.member("team", team.write) }
    }
  }
}

/// A search by name. The service compares first and last names separately.
enum PlayerSearch: Equatable, Sendable {
  case all
  case either(String)
  case both(first: String, last: String)

  /// A single word is a first or last name. Otherwise the first word is the first name: `Luc Mbah a Moute`.
  init(_ words: [String]) {
    let words = words.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    switch words.count {
    case 0: self = .all
    case 1: self = .either(words[0])
    default: self = .both(first: words[0], last: words.dropFirst().joined(separator: " "))
    }
  }

  /// Whether the names of a player contain the search, ignoring case, accents and punctuation.
  func matches(_ player: Player) -> Bool {
    let name = "\(player.firstName) \(player.lastName)"
    return switch self {
    case .all: true
    case .either(let part): name.containsName(part)
    case .both(let first, let last): name.containsName(first) && name.containsName(last)
    }
  }
}

extension String {
  /// Characters outside of ASCII match all letters: `Doncic` is in `Dončić`, and `pj` in `P.J.`.
  fileprivate func containsName(_ name: String) -> Bool {
    let text = lowercased().filter(\.isLetter).map(\.self)
    let name = name.lowercased().filter(\.isLetter).map(\.self)
    guard name.count <= text.count else { return false }
    return (0...text.count - name.count).contains { start in
      zip(text[start...], name).allSatisfy { $0 == $1 || !$0.isASCII || !$1.isASCII }
    }
  }
}
