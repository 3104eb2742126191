import Output
import System
import Terminal

/// The row of `hw nba team`: the fields of the team, and as text also its season.
struct TeamPage: Row {
  let team: Team
  /// Requested for the text format only.
  var season: TeamSeason?

  static let fields: Fields<TeamPage> = Team.fields.map { field in field.of(\.team) }

  static let text: (@Sendable (TeamPage, Screen?) -> String)? = { page, _ in
    let team = page.team
    func known(_ text: String) -> String { TableCell.dashIfEmpty(text.terminalSafe).text }
    var lines = [
      "\(team.fullName.terminalSafe) (\(team.abbreviation.terminalSafe))", "City        \(known(team.city))",
      "Conference  \(known(team.conference))", "Division    \(known(team.division))",
    ]
    if let season = page.season { lines += ["Season      \(season.record)"] + season.lines }
    return lines.joined(separator: "\n")
  }
}

/// The season of a team as text: its record, the last five games, one in progress and the next ones.
struct TeamSeason {
  private let team: Team
  private let results: TeamRecord
  private let played: [Game]
  private let running: [Game]
  private let coming: [Game]
  private let time: any TimeKeeper

  private static let shownGames = 5

  init(of team: Team, _ season: Int, _ games: [Game], today: CalendarDay, time: any TimeKeeper) {
    self.team = team
    self.time = time
    results = TeamRecord(of: team, against: nil, season: season, games)
    played = games.filter { $0.winner != nil }.sorted { $0.precedes($1) }
    running = games.filter {
      $0.hasBegun && !$0.isFinal && !$0.isCalledOff && !$0.isUndecided(at: time.now())
    }
    coming = games.filter { $0.isUpcoming(on: today) }.sorted { $0.startsBefore($1) }
  }

  /// `2026: 12-6 (8-2 at home), W3`.
  var record: String {
    let streak = results.all.games > 0 ? ", \(results.all.streakText)" : ""
    return "\(results.season): \(results.all.wins)-\(results.all.losses) "
      + "(\(results.atHome.wins)-\(results.atHome.losses) at home)\(streak)"
  }

  var lines: [String] {
    let last = played.prefix(TeamSeason.shownGames).map { game in
      "\(game.date)  \(game.winner == team.id ? "won " : "lost")  \(points(game))  \(opponent(game))"
    }
    let now = running.map { "\($0.status?.terminalSafe ?? "-")  \(points($0))  \(opponent($0))" }
    let next = coming.prefix(TeamSeason.shownGames).map { game in
      "\(game.tipOff.map { time.local($0).minutes } ?? game.date)  \(opponent(game))"
    }
    return [("Last games", last), ("Now", now), ("Next games", next)].flatMap { title, games in
      games.isEmpty ? [] : ["", title] + games
    }
  }

  private func points(_ game: Game) -> String {
    let (home, visitor) = (game.homeScore, game.visitorScore)
    return isHome(game) ? "\(home)-\(visitor)" : "\(visitor)-\(home)"
  }

  private func isHome(_ game: Game) -> Bool { game.home?.id == team.id }

  private func opponent(_ game: Game) -> String {
    let name = (isHome(game) ? game.visitor : game.home)?.fullName.terminalSafe ?? "-"
    return isHome(game) ? "vs \(name)" : "at \(name)"
  }
}

extension Team: Row {
  static let fields: Fields<Team> = [
    Field.integer("id", "Id", "the service's id") { $0.id }.hiddenByDefault,
    .text("full_name", "Team", "city and nickname") { $0.fullName },
    Field.text("city", "City", "the city") { $0.city }.shown { .dashIfEmpty($0.city) },
    Field.text("conference", "Conference", "East or West; spaces for a historic team") { $0.conference }
      .among(Team.conferences).shown { .dashIfEmpty($0.conference) },
    Field.text("division", "Division", "the division; three per conference") { $0.division }
      .among(Team.divisions).shown { .dashIfEmpty($0.division) }.hiddenByDefault,
    Field.text("name", "Nickname", "the name without the city") { $0.name }.hiddenByDefault,
    Field.text("abbreviation", "Abbr", "two or three letters") { $0.abbreviation }.hiddenByDefault,
  ]
}

extension TableCell {
  static func dashIfEmpty(_ text: String) -> TableCell { text.isBlank ? TableCell(.null) : TableCell(text) }
}
