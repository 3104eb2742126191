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
