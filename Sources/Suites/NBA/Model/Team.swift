import JSON
import System

/// A team. A class, since thousands of games share the same few teams.
final class Team: Sendable {
  let id: Int
  let conference: String
  let division: String
  let city: String
  let name: String
  let fullName: String
  let abbreviation: String
  /// The names with which `--where` compares.
  var names: [String] { [fullName, name, abbreviation] }

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

  static let conferences = ["East", "West"]
  static let divisions = ["Atlantic", "Central", "Southeast", "Northwest", "Pacific", "Southwest"]

  /// Historic teams have spaces as conference.
  var isCurrent: Bool { conference.utf8.contains { $0 != UInt8(ascii: " ") } }

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

enum TeamSearch {
  private static let comparisons: [@Sendable (Team, String) -> Bool] = [
    { String($0.id) == $1 },
    { $0.abbreviation.lowercased() == $1 },
    { $0.fullName.lowercased() == $1 },
    { $0.name.lowercased() == $1 },
    { $0.isCurrent && League.otherNames[$1] == $0.abbreviation },
    { $0.city.lowercased() == $1 },
    { $0.fullName.lowercased().contains($1) },
  ]

  /// Finds the team with this id, abbreviation, name, nickname or city, or the only one whose name contains the text,
  /// ignoring case. Current teams take precedence. Fails (`conflict`, `notFound`) with candidates.
  static func find(_ text: String, among teams: [Team]) throws(Failure) -> Team {
    let wanted = text.split(separator: " ").joined(separator: " ").lowercased()
    guard !wanted.isEmpty else { throw Failure(.usage, "the name of the team is empty") }
    for matches in comparisons {
      let found = teams.filter { matches($0, wanted) }
      let candidates = found.contains(where: \.isCurrent) ? found.filter(\.isCurrent) : found
      if let team = candidates.first, candidates.count == 1 { return team }
      guard candidates.isEmpty else { throw ambiguous(text, candidates) }
    }
    let names =
      teams.flatMap {
        [$0.abbreviation, $0.name, $0.city, $0.fullName] + $0.name.split(separator: " ").map(String.init)
      }
      .filter { !$0.isEmpty } + League.otherNames.keys.filter { $0.count > 3 }.sorted()
    throw Failure(
      .notFound, "there is no team '\(text)'",
      hint: Suggestion.phrase(for: text, among: names) ?? "'hw nba teams' lists the teams")
  }

  private static func ambiguous(_ text: String, _ candidates: [Team]) -> Failure {
    let names = candidates.map { "\($0.fullName) (\($0.abbreviation))" }
    return Failure(
      .conflict, "'\(text)' matches \(candidates.count) teams",
      hint: "did you mean \(names.joined(separator: ", "))?",
      details: [.init("candidates", .list(candidates.map(\.fullName)))])
  }
}

/// The teams of the service, for sample data and completion: 30 current and 15 historic ones.
enum League {
  static let teams: [Team] = current + historic

  /// Short names and abbreviations of other services in lower case, with the abbreviation of the team.
  static let otherNames = [
    "sixers": "PHI", "philly": "PHI", "cavs": "CLE", "mavs": "DAL", "wolves": "MIN", "t-wolves": "MIN",
    "twolves": "MIN", "blazers": "POR", "nugs": "DEN", "grizz": "MEM", "pels": "NOP", "clips": "LAC",
    "wiz": "WAS", "dubs": "GSW", "nola": "NOP", "brk": "BKN", "cho": "CHA",
    "pho": "PHX", "gs": "GSW", "ny": "NYK", "sa": "SAS", "no": "NOP", "wsh": "WAS",
  ]

  static let current: [Team] = [
    ("ATL", "East", "Southeast", "Atlanta", "Hawks"), ("BOS", "East", "Atlantic", "Boston", "Celtics"),
    ("BKN", "East", "Atlantic", "Brooklyn", "Nets"), ("CHA", "East", "Southeast", "Charlotte", "Hornets"),
    ("CHI", "East", "Central", "Chicago", "Bulls"), ("CLE", "East", "Central", "Cleveland", "Cavaliers"),
    ("DAL", "West", "Southwest", "Dallas", "Mavericks"), ("DEN", "West", "Northwest", "Denver", "Nuggets"),
    ("DET", "East", "Central", "Detroit", "Pistons"), ("GSW", "West", "Pacific", "Golden State", "Warriors"),
    ("HOU", "West", "Southwest", "Houston", "Rockets"), ("IND", "East", "Central", "Indiana", "Pacers"),
    ("LAC", "West", "Pacific", "LA", "Clippers"), ("LAL", "West", "Pacific", "Los Angeles", "Lakers"),
    ("MEM", "West", "Southwest", "Memphis", "Grizzlies"), ("MIA", "East", "Southeast", "Miami", "Heat"),
    ("MIL", "East", "Central", "Milwaukee", "Bucks"),
    ("MIN", "West", "Northwest", "Minnesota", "Timberwolves"),
    ("NOP", "West", "Southwest", "New Orleans", "Pelicans"),
    ("NYK", "East", "Atlantic", "New York", "Knicks"),
    ("OKC", "West", "Northwest", "Oklahoma City", "Thunder"),
    ("ORL", "East", "Southeast", "Orlando", "Magic"), ("PHI", "East", "Atlantic", "Philadelphia", "76ers"),
    ("PHX", "West", "Pacific", "Phoenix", "Suns"), ("POR", "West", "Northwest", "Portland", "Trail Blazers"),
    ("SAC", "West", "Pacific", "Sacramento", "Kings"), ("SAS", "West", "Southwest", "San Antonio", "Spurs"),
    ("TOR", "East", "Atlantic", "Toronto", "Raptors"), ("UTA", "West", "Northwest", "Utah", "Jazz"),
    ("WAS", "East", "Southeast", "Washington", "Wizards"),
  ].enumerated().map { index, team in
    Team(
      id: index + 1, conference: team.1, division: team.2, city: team.3, name: team.4,
      fullName: "\(team.3) \(team.4)", abbreviation: team.0)
  }

  /// Ids 37 to 51. Historic teams have no city and no division, and spaces as conference.
  static let historic: [Team] = [
    ("CHS", "Chicago Stags"), ("BOM", "St. Louis Bombers"), ("CLR", "Cleveland Rebels"),
    ("DEF", "Detroit Falcons"), ("HUS", "Toronto Huskies"), ("WAS", "Washington Capitols"),
    ("PRO", "Providence Steamrollers"), ("PIT", "Pittsburgh Ironmen"), ("BAL", "Baltimore Bullets"),
    ("JET", "Indianapolis Jets"), ("AND", "Anderson Packers"), ("WAT", "Waterloo Hawks"),
    ("INO", "Indianapolis Olympians"), ("DN", "Denver Nuggets"), ("SHE", "Sheboygan Redskins"),
  ].enumerated().map { index, team in
    Team(
      id: index + 37, conference: "    ", division: "", city: "", name: team.1, fullName: team.1,
      abbreviation: team.0)
  }
}
