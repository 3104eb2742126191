import System

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
