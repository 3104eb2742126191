import Command
import HTTP

/// The contract check of the service. It sends three requests: the free plan has five per minute.
extension NBA {
  static var checks: [Check] {
    [
      Check("the teams", "/teams", expects: .object(["data": .list(teamShape, count: 30 ... .max)])),
      Check("a page of games", "/games", ["per_page": "25"], expects: page(of: gameShape)),
      Check("a page of players", "/players", ["per_page": "25"], expects: page(of: playerShape)),
    ]
  }

  /// The last page has no cursor.
  private static func page(of item: Contract) -> Contract {
    .object([
      "data": .list(item, count: 0...100),
      "meta": .object([
        "next_cursor": .optional(.int()), "prev_cursor": .optional(.int()),
        "per_page": .optional(.int(1...100)),
      ]),
    ])
  }

  private static let teamShape = Contract.object([
    "id": .int(), "conference": .string, "division": .string, "city": .string, "name": .string,
    "full_name": .string, "abbreviation": .string,
  ])

  private static let points = Contract.optional(.int(0 ... .max))
  private static let flag = Contract.optional(.bool)

  private static let gameShape = Contract.object([
    "id": .int(), "date": .string, "season": .int(1946...9999), "status": .orNull(.string),
    "period": .orNull(.int(0...99)),
    "time": .optional(.string), "period_detail": .optional(.string), "postseason": .bool,
    "home_team_score": .int(0 ... .max),
    "visitor_team_score": .int(0 ... .max), "home_team": .orNull(teamShape),
    "visitor_team": .orNull(teamShape),
    "datetime": .optional(.string), "postponed": flag, "ist_stage": .optional(.string),
    "home_q1": points, "home_q2": points, "home_q3": points, "home_q4": points, "home_ot1": points,
    "home_ot2": points, "home_ot3": points, "home_timeouts_remaining": points, "home_in_bonus": flag,
    "visitor_q1": points, "visitor_q2": points, "visitor_q3": points, "visitor_q4": points,
    "visitor_ot1": points, "visitor_ot2": points, "visitor_ot3": points,
    "visitor_timeouts_remaining": points, "visitor_in_bonus": flag,
  ])

  private static let playerShape = Contract.object([
    "id": .int(), "first_name": .string, "last_name": .string, "position": .optional(.string),
    "height": .optional(.string), "weight": .optional(.string), "jersey_number": .optional(.string),
    "college": .optional(.string), "country": .optional(.string), "draft_year": .optional(.int()),
    "draft_round": .optional(.int()), "draft_number": .optional(.int()), "team": .optional(teamShape),
    "team_id": .optional(.int()),
  ])
}
