import Command
import HTTP
import JSON
import System

/// Contract checks of the service, with three requests: the free plan allows five per minute.
extension NBA {
  static var checks: [Check] {
    [
      Check("the teams", "/teams") { json throws(Failure) in
        let teams = try json["data"].array
        guard teams.count >= 30 else {
          throw json["data"].invalid("expected 30 teams or more, found \(teams.count)")
        }
        for team in teams { _ = try Team(team) }
      },
      Check("a page of games", "/games", ["per_page": "25"]) { json throws(Failure) in
        var cache = TeamCache()
        _ = try CursorPage(json) { json throws(Failure) in try Game(json, &cache) }
      },
      Check("a page of players", "/players", ["per_page": "25"]) { json throws(Failure) in
        _ = try CursorPage(json, Player.init)
      },
    ]
  }
}
