/// Won and lost games. Games are added in the order in which they were played.
struct Tally: Equatable, Sendable {
  var wins = 0
  var losses = 0
  /// Games won in a row; negative for games lost in a row.
  var streak = 0

  mutating func add(win: Bool) {
    if win {
      wins += 1
      streak = max(streak, 0) + 1
    } else {
      losses += 1
      streak = min(streak, 0) - 1
    }
  }

  var games: Int { wins + losses }

  var share: Double? { games == 0 ? nil : Double(wins) / Double(games) }

  /// The share with three decimal places, as the league prints it.
  var shareRounded: Double? { share.map { ($0 * 1000).rounded() / 1000 } }

  /// `W4`, `L2`, or a dash without games.
  var streakText: String { streak < 0 ? "L\(-streak)" : streak == 0 ? "-" : "W\(streak)" }
}

struct Standing: Sendable {
  /// The rank in the conference; nil for a team without games, which comes last.
  var rank: Int?
  var team: Team
  var tally: Tally
  var atHome = Tally()
  /// Half the difference in wins and losses to the first team of the conference.
  var gamesBehind: Double?

  /// The tables of the conferences, East before West, and the number of games counted: those of the regular season with
  /// a winner, without the final of the NBA Cup. Teams with an equal share are sorted by wins, then by name; the
  /// tie-breakers of the league are not implemented.
  static func tables(_ games: [Game], teams: [Team]) -> (standings: [Standing], counted: Int) {
    var (tallies, atHome): ([Int: Tally], [Int: Tally]) = ([:], [:])
    var known = Dictionary(teams.map { ($0.id, $0) }) { first, _ in first }
    var counted = 0
    for game in games.sorted(by: { $1.precedes($0) }) where !game.isPostseason && !game.isCupFinal {
      guard let winner = game.winner, game.hasTwoTeams, let home = game.home, let visitor = game.visitor
      else { continue }
      counted += 1
      for team in [home, visitor] {
        // A team that has played counts even if the list of teams lacks it.
        if known[team.id] == nil { known[team.id] = team }
        tallies[team.id, default: Tally()].add(win: winner == team.id)
      }
      atHome[home.id, default: Tally()].add(win: winner == home.id)
    }
    let present = known.values.filter { $0.isCurrent || tallies[$0.id] != nil }
    let conferences = Set(present.map(\.conference)).sorted()
    let standings = conferences.flatMap { conference in
      table(
        present.filter { $0.conference == conference }.map {
          Standing(team: $0, tally: tallies[$0.id] ?? Tally(), atHome: atHome[$0.id] ?? Tally())
        })
    }
    return (standings, counted)
  }

  private static func table(_ entries: [Standing]) -> [Standing] {
    var sorted = entries.sorted { a, b in
      (b.tally.share ?? -1, b.tally.wins, a.team.fullName) < (
        a.tally.share ?? -1, a.tally.wins, b.team.fullName
      )
    }
    for (place, entry) in sorted.enumerated() where entry.tally.games > 0 {
      let first = sorted[0].tally
      let behind = (first.wins - entry.tally.wins) + (entry.tally.losses - first.losses)
      (sorted[place].rank, sorted[place].gamesBehind) = (place + 1, Double(behind) / 2)
    }
    return sorted
  }
}

struct TeamRecord: Sendable {
  var team: Team
  var opponent: Team?
  var season: Int
  var all = Tally()
  var atHome = Tally()
  var away = Tally()
  var pointsFor = 0
  var pointsAgainst = 0

  init(of team: Team, against opponent: Team?, season: Int, _ games: [Game]) {
    self.team = team
    self.opponent = opponent
    self.season = season
    for game in games.sorted(by: { $1.precedes($0) }) {
      guard let winner = game.winner, game.hasTwoTeams, let home = game.home?.id,
        let visitor = game.visitor?.id, home == team.id || visitor == team.id
      else { continue }
      if let opponent, home != opponent.id, visitor != opponent.id { continue }
      let won = winner == team.id
      all.add(win: won)
      if home == team.id { atHome.add(win: won) } else { away.add(win: won) }
      let points = home == team.id ? (game.homeScore, game.visitorScore) : (game.visitorScore, game.homeScore)
      pointsFor += points.0
      pointsAgainst += points.1
    }
  }
}
