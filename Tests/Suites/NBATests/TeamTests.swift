import Output
import System
import TestSupport
import Testing

@testable import NBA

@Suite struct WhichTeamIsMeant {
  @Test(arguments: [
    ("14", 14), ("lal", 14), ("LAL", 14), ("Los Angeles Lakers", 14), ("lakers", 14), ("los angeles", 14),
    ("laker", 14), (" los   angeles  lakers ", 14), ("LA", 13), ("clippers", 13), ("76ers", 23), ("WAS", 30),
    ("washington", 30), ("Denver Nuggets", 8), ("nuggets", 8), ("50", 50), ("DN", 50), ("stags", 37),
    ("trail", 25), ("hawks", 1), ("waterloo", 48), ("golden state", 10), ("Washington Capitols", 42),
    ("sixers", 23), ("Cavs", 6), ("mavs", 7), ("wolves", 18), ("blazers", 25), ("NY", 20),
  ])
  func idAbbreviationNameOrPartOfOneInAnyCaseTodaysTeamsFirst(text: String, id: Int) throws {
    #expect(try TeamSearch.find(text, among: League.teams).id == id)
  }

  @Test(arguments: [
    ("new", ["New Orleans Pelicans", "New York Knicks"]),
    ("indianapolis", ["Indianapolis Jets", "Indianapolis Olympians"]),
  ])
  func ambiguousTeamNamesAllMatches(text: String, names: [String]) {
    let problem = #expect(throws: Failure.self) { try TeamSearch.find(text, among: League.teams) }
    #expect(problem?.kind == .conflict)
    #expect(problem?.details == [.init("candidates", .list(names))])
    #expect(names.allSatisfy { problem?.hint?.contains($0) == true })
  }

  @Test func twoNamesThatTie() {
    let twin = Team(
      id: 99, conference: "West", division: "Pacific", city: "Los Angeles", name: "Lakers",
      fullName: "Los Angeles Lakers", abbreviation: "LAL")
    let problem = #expect(throws: Failure.self) {
      try TeamSearch.find("Lakers", among: [twin, League.current[13]])
    }
    #expect(problem?.kind == .conflict)
    #expect(throws: Never.self) { try TeamSearch.find("99", among: [twin, League.current[13]]) }
  }

  @Test(
    arguments: [
      ("lakrs", "did you mean 'Lakers'?"), ("bostn", "did you mean 'Boston'?"),
      ("sixrs", "did you mean 'sixers'?"), ("blazrs", "did you mean 'Blazers'?"), ("31", nil),
      ("xyzzy-team", nil),
      // Near 'wiz': so short a name is near too many words.
      ("wix", nil),
    ] as [(String, String?)])
  func unknownTeamSuggestsNearest(text: String, hint: String?) {
    let problem = #expect(throws: Failure.self) { try TeamSearch.find(text, among: League.teams) }
    #expect(problem?.kind == .notFound)
    #expect(problem?.hint == hint ?? "'hw nba teams' lists the teams")
  }

  @Test func blanksAreNoName() {
    let failure = failure { try TeamSearch.find("  ", among: League.teams) }
    #expect(failure?.kind == .usage && failure?.message == "the name of the team is empty")
  }
}

/// Within the suite one thing has one field name, and one field name one meaning.
@Suite struct FieldNameTests {
  private static let rows: [[Column]] = [
    Team.fields.map(\.column), Player.fields.map(\.column), PlayerCard.fields.map(\.column),
    GameRow.fields.map(\.column), Standing.fields.map(\.column), TeamRecord.fields.map(\.column),
  ]

  /// A team inside another row has the fields that it has in `hw nba teams`.
  @Test func teamsInsideOtherRows() {
    let team = Team.fields.map(\.column)
    for column in FieldNameTests.rows.joined() {
      let parts = column.path.split(separator: ".")
      guard parts.count == 2 else { continue }
      #expect(["team", "home_team", "visitor_team", "vs"].contains(parts[0]), "\(column.path)")
      #expect(team.contains { $0.path == parts[1] && $0.type == column.type }, "\(column.path)")
    }
  }

  @Test func aNameHasOneType() {
    let columns = Array(FieldNameTests.rows.joined())
    for column in columns {
      #expect(columns.allSatisfy { $0.path != column.path || $0.type == column.type }, "\(column.path)")
    }
  }
}
