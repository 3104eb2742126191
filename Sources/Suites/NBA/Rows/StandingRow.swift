import Output
import System

extension Standing: Row {
  static let fields: Fields<Standing> = [
    Field.text("team.conference", "Conference", "East or West; spaces for a historic team") {
      $0.team.conference
    }
    .among(Team.conferences),
    .integer("rank", "Rank", "the rank in the conference; null before the first game", orNull: { $0.rank }),
    Field.text("team.full_name", "Team", "city and nickname") { $0.team.fullName }.compared(to: {
      $0.team.names
    }),
    Field.text("team.abbreviation", "Abbr", "two or three letters") { $0.team.abbreviation }.hiddenByDefault,
    Field.integer("team.id", "Id", "the team's id") { $0.team.id }.hiddenByDefault,
    .integer("games", "Games", "the number of games counted") { $0.tally.games },
    .integer("wins", "W", "games won") { $0.tally.wins },
    .integer("losses", "L", "games lost") { $0.tally.losses },
    Field.number(
      "pct", "Pct", "the share of wins, to three decimal places, or null", orNull: { $0.tally.shareRounded }
    ).shown { $0.tally.shareShown },
    Field.number(
      "games_behind", "GB", "games behind the first team of the conference, or null",
      orNull: { $0.gamesBehind }
    ).shown { row in
      row.gamesBehind.flatMap { $0 == 0 ? nil : TableCell(.number($0)) } ?? TableCell(.null)
    },
    Field.text("streak", "Streak", "games won or lost in a row: W4, L2") { $0.tally.streakText }
      .measured(by: .streak),
    Field.integer("home_wins", "Home W", "games won at home") { $0.atHome.wins }.hiddenByDefault,
    Field.integer("home_losses", "Home L", "games lost at home") { $0.atHome.losses }.hiddenByDefault,
  ]
}

extension TeamRecord: Row {
  static let fields: Fields<TeamRecord> = [
    Field.text("team.full_name", "Team", "the team") { $0.team.fullName }.compared(to: { $0.team.names }),
    Field.text("vs.full_name", "Against", "the opponent; null for all", orNull: { $0.opponent?.fullName })
      .compared(to: { $0.opponent?.names }),
    .integer("season", "Season", "the year in which it began") { $0.season },
    .integer("games", "Games", "the number of games counted") { $0.all.games },
    .integer("wins", "W", "games won") { $0.all.wins },
    .integer("losses", "L", "games lost") { $0.all.losses },
    Field.number(
      "pct", "Pct", "the share of wins, to three decimal places, or null", orNull: { $0.all.shareRounded }
    ).shown { $0.all.shareShown },
    Field.integer("home_wins", "Home W", "games won at home") { $0.atHome.wins }.hiddenByDefault,
    Field.integer("home_losses", "Home L", "games lost at home") { $0.atHome.losses }.hiddenByDefault,
    Field.integer("away_wins", "Away W", "games won away") { $0.away.wins }.hiddenByDefault,
    Field.integer("away_losses", "Away L", "games lost away") { $0.away.losses }.hiddenByDefault,
    Field.integer("points_for", "Points", "points scored") { $0.pointsFor }.hiddenByDefault,
    Field.integer("points_against", "Conceded", "points of the opponents") { $0.pointsAgainst }
      .hiddenByDefault,
    Field.text("streak", "Streak", "games won or lost in a row: W4, L2") { $0.all.streakText }
      .measured(by: .streak),
  ]
}

extension Scale {
  /// Games won in a row; negative for games lost in a row.
  fileprivate static let streak = Scale("a streak (W4, L2, or - without games)") { text in
    if text == "-" { return 0 }
    guard let count = Int64(text.dropFirst()), count > 0 else { return nil }
    return switch text.first {
    case "W", "w": count
    case "L", "l": -count
    default: nil
    }
  }
}

extension Tally {
  /// `.612`, or `1.000` for a team without a loss.
  fileprivate var shareShown: TableCell {
    guard let text = share?.fixed(3) else { return TableCell(.null) }
    return TableCell(text.hasPrefix("0") ? String(text.dropFirst()) : text)
  }
}
