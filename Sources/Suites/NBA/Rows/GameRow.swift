import Output
import System
import Terminal

struct GameRow: Row {
  let game: Game
  let time: any TimeKeeper

  static let fields: Fields<GameRow> =
    [
      Field.integer("id", "Id", "the service's id") { $0.game.id }.hiddenByDefault,
      Field(
        Column("date", title: "Date (US)", meaning: "the date of the game, on the US East Coast", type: .day)
      ) {
        .text($0.game.date)
      },
      .text("home_team.full_name", "Home", "the home team", orNull: { $0.game.home?.fullName })
        .shown { $0.name(of: $0.game.home) },
      Field.integer("home_team_score", "H pts", "its points, 0 before the game", { $0.game.homeScore })
        .shown { score($0, $0.game.homeScore) },
      .text("visitor_team.full_name", "Visitor", "the visiting team", orNull: { $0.game.visitor?.fullName })
        .shown { $0.name(of: $0.game.visitor) },
      Field.integer("visitor_team_score", "V pts", "its points, 0 before the game", { $0.game.visitorScore })
        .shown { score($0, $0.game.visitorScore) },
      Field.text(
        "status", "Status",
        "the start with its time zone, then the progress; tables show local time and overtimes",
        orNull: { $0.game.status }
      )
      .unordered(hint: "compare 'date' or 'datetime'")
      .compared { row in [row.game.status, row.game.statusShown(row.time.local)].compactMap(\.self) }
      .shown { row in row.game.statusShown(row.time.local).map { TableCell($0) } ?? TableCell(.null) },
    ] + hidden.map(\.hiddenByDefault)

  private static let hidden: Fields<GameRow> =
    details + sideFields("home", "Home", \.home, \.homeSide)
    + sideFields("visitor", "Visitor", \.visitor, \.visitorSide)

  private func name(of team: Team?) -> TableCell {
    team.map { TableCell($0.fullName, $0.id == game.winner ? .bold : nil) } ?? TableCell(.null)
  }

  private static func score(_ row: GameRow, _ points: Int) -> TableCell {
    row.game.hasBegun && !row.game.isCalledOff ? TableCell(String(points)) : TableCell(.null)
  }

  private static let details: Fields<GameRow> = [
    Field.integer("season", "Season", "the year in which its season began") { $0.game.season },
    Field.flag("postseason", "Playoffs", "whether it is a playoff game") { $0.game.isPostseason },
    Field.integer(
      "period", "Period", "1 to 4, from 5 on overtime; 0 before the game", orNull: { $0.game.period }),
    Field.text("period_detail", "Period detail", "the period in words", orNull: { $0.game.periodDetail }),
    Field.text("time", "Time", "the game clock, or Final", orNull: { $0.game.time })
      .unordered(hint: "operators: =, !=, *="),
    Field.text("datetime", "Start", "the start, in UTC", orNull: { $0.game.datetime }).measured(by: .instant),
    Field.flag("postponed", "Postponed", "whether it was postponed", orNull: { $0.game.isPostponed }),
    Field.text("ist_stage", "Cup", "the stage of the NBA Cup", orNull: { $0.game.cupStage }),
  ]

  private static func sideFields(
    _ name: String, _ title: String, _ team: @escaping @Sendable (Game) -> Team?,
    _ side: @escaping @Sendable (Game) -> Game.Side
  ) -> Fields<GameRow> {
    let periods = [
      ("q1", "first quarter"), ("q2", "second quarter"), ("q3", "third quarter"), ("q4", "fourth quarter"),
      ("ot1", "first overtime"), ("ot2", "second overtime"), ("ot3", "third overtime"),
    ]
    let points: Fields<GameRow> = periods.enumerated().map { number, period in
      .integer(
        "\(name)_\(period.0)", "\(title) \(period.0)", "points in the \(period.1)",
        orNull: { side($0.game).periods[number] })
    }
    let others: Fields<GameRow> = [
      .integer(
        "\(name)_timeouts_remaining", "\(title) time-outs", "time-outs left",
        orNull: { side($0.game).timeoutsRemaining }),
      .flag(
        "\(name)_in_bonus", "\(title) bonus", "whether the team shoots free throws for every foul",
        orNull: { side($0.game).isInBonus }),
      .integer("\(name)_team.id", "\(title) id", "the team's id", orNull: { team($0.game)?.id }),
      Field.text(
        "\(name)_team.conference", "\(title) conference", "the team's conference",
        orNull: { team($0.game)?.conference }
      ).among(Team.conferences),
      Field.text(
        "\(name)_team.division", "\(title) division", "the team's division",
        orNull: { team($0.game)?.division }
      ).among(Team.divisions),
      .text("\(name)_team.city", "\(title) city", "the team's city", orNull: { team($0.game)?.city }),
      .text("\(name)_team.name", "\(title) name", "the team's nickname", orNull: { team($0.game)?.name }),
      .text(
        "\(name)_team.abbreviation", "\(title) abbreviation", "the team's abbreviation",
        orNull: { team($0.game)?.abbreviation }),
    ]
    return points + others
  }
}
