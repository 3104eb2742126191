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

/// Which team is meant by what somebody typed.
enum TeamSearch {
  /// What a text is compared with, the surest first.
  private static let ways: [@Sendable (Team, String) -> Bool] = [
    { String($0.id) == $1 },
    { $0.abbreviation.lowercased() == $1 },
    { $0.fullName.lowercased() == $1 },
    { $0.name.lowercased() == $1 },
    { $0.city.lowercased() == $1 },
    { $0.fullName.lowercased().contains($1) },
  ]

  /// The team with that id, abbreviation, full name, nickname or city, or the only one that the text is a part of, in
  /// any case; of two that the same thing fits, the one that still plays.
  ///
  /// Fails as `conflict` with the candidates where several fit, as `notFound` with the nearest where none does.
  static func find(_ text: String, among teams: [Team]) throws(Failure) -> Team {
    let wanted = text.split(separator: " ").joined(separator: " ").lowercased()
    guard !wanted.isEmpty else { throw Failure(.usage, "the name of the team is empty") }
    for fits in ways {
      let found = teams.filter { fits($0, wanted) }
      let candidates = found.contains(where: \.isCurrent) ? found.filter(\.isCurrent) : found
      if let team = candidates.first, candidates.count == 1 { return team }
      guard candidates.isEmpty else { throw ambiguous(text, candidates) }
    }
    let names = teams.flatMap { [$0.abbreviation, $0.name, $0.city, $0.fullName] }.filter { !$0.isEmpty }
    throw Failure(
      .notFound, "there is no team '\(text)'",
      hint: Suggestion.phrase(for: text, among: names) ?? "'hw nba teams' lists them")
  }

  private static func ambiguous(_ text: String, _ candidates: [Team]) -> Failure {
    let names = candidates.map { "\($0.fullName) (\($0.abbreviation))" }
    return Failure(
      .conflict, "'\(text)' can be any of \(candidates.count) teams",
      hint: "did you mean \(names.joined(separator: ", "))?",
      details: [.init("candidates", .list(candidates.map(\.fullName)))])
  }
}
