import System
import TestSupport
import Testing

@testable import NBA

@Suite struct WhichTeamIsMeant {
  @Test(
    "An id, an abbreviation, a name or a part of one, in any case; today's teams first",
    arguments: [
      ("14", 14), ("lal", 14), ("LAL", 14), ("Los Angeles Lakers", 14), ("lakers", 14), ("los angeles", 14),
      ("laker", 14), (" los   angeles  lakers ", 14), ("LA", 13), ("clippers", 13), ("76ers", 23),
      ("WAS", 30),
      ("washington", 30), ("Denver Nuggets", 8), ("nuggets", 8), ("50", 50), ("DN", 50), ("stags", 37),
      ("trail", 25), ("hawks", 1), ("waterloo", 48), ("golden state", 10), ("Washington Capitols", 42),
      ("sixers", 23), ("Cavs", 6), ("mavs", 7), ("wolves", 18), ("blazers", 25), ("NY", 20),
    ])
  func found(text: String, id: Int) throws {
    #expect(try TeamSearch.find(text, among: League.teams).id == id)
  }

  @Test(
    "What several teams fit is a conflict that names them",
    arguments: [
      ("new", ["New Orleans Pelicans", "New York Knicks"]),
      ("indianapolis", ["Indianapolis Jets", "Indianapolis Olympians"]),
    ])
  func ambiguous(text: String, names: [String]) {
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
    "What no team fits is not found, with the nearest told",
    arguments: [
      ("lakrs", "did you mean 'Lakers'?"), ("bostn", "did you mean 'Boston'?"),
      ("sixrs", "did you mean 'sixers'?"), ("blazrs", "did you mean 'Blazers'?"), ("31", nil),
      ("xyzzy-team", nil),
      // Near 'wiz': so short a name is near too many words.
      ("wix", nil),
    ] as [(String, String?)])
  func unknown(text: String, hint: String?) {
    let problem = #expect(throws: Failure.self) { try TeamSearch.find(text, among: League.teams) }
    #expect(problem?.kind == .notFound)
    #expect(problem?.hint == hint ?? "'hw nba teams' lists the teams")
  }

  @Test func blanksAreNoName() {
    let failure = failure { try TeamSearch.find("  ", among: League.teams) }
    #expect(failure?.kind == .usage && failure?.message == "the name of the team is empty")
  }
}

@Suite struct ListsOfTeams {
  @Test(
    "Sorted by a field, then by full name",
    arguments: [
      ("name", [1, 2, 3], [29, 30]), ("city", [1, 2, 3], [29, 30]), ("conference", [1, 2, 3], [27, 29]),
      ("-name", [30, 29, 28], [2, 1]), ("-conference,-city", [29, 27, 26], [2, 1]),
    ])
  func order(field: String, first: [Int], last: [Int]) throws {
    let ran = Ran("teams", "--sort", field, "--fields", "id", "--tsv", "--no-header")
    #expect(ran.lines.count == 30)
    #expect(ran.lines.prefix(3).map { Int($0) } == first && ran.lines.suffix(2).map { Int($0) } == last)
  }

  @Test func withoutAFieldByFullNameThenById() {
    let ran = Ran("teams", "--historic", "--fields", "full_name,id", "--tsv", "--no-header")
    let names = ran.lines.map { String($0.prefix { $0 != "\t" }) }
    #expect(names.count == 45 && names == names.sorted())
    #expect(ran.lines.filter { $0.hasPrefix("Denver") } == ["Denver Nuggets\t8", "Denver Nuggets\t50"])
  }

  @Test func laStandsBeforeLosAngelesByCityAndGoldenStateBeforeHouston() {
    let ran = Ran("teams", "--sort", "city", "--fields", "abbreviation", "--tsv", "--no-header")
    #expect(ran.lines[12...13] == ["LAC", "LAL"])
  }

  @Test(
    "Chosen by conference and age",
    arguments: [
      (["--conference", "West"], 15), (["--conference", "east"], 15), (["--historic"], 45),
      (["--historic", "--conference", "West"], 15), ([], 30),
    ])
  func choice(words: [String], count: Int) {
    let all = ["teams", "--fields", "id", "--tsv", "--no-header"] + words
    #expect(Ran(words: all).lines.count == count)
  }

  @Test func aTeamThatIsGoneHasDashesInATableAndBlanksForAProgram() {
    #expect(Ran("team", "stags").lines.last == "Chicago Stags  -     -")
    #expect(Ran("team", "stags", "--fields", "division").lines.last == "-")
    #expect(Ran("team", "stags", "--csv").lines.last == "Chicago Stags,,    ")
  }

  @Test(
    arguments: [
      (["team", "lakers"], 0), (["team", "nowhere"], 3), (["team", "new"], 4),
      (["teams", "--sort", "age"], 2),
      (["teams", "--conference", "North"], 2),
    ])
  func status(words: [String], status: Int) {
    #expect(Ran(words: words).status == Int32(status))
  }
}
