import TestSupport
import HTTP
import System

@testable import NBA

extension ScriptedTransport {
  var client: NBAClient {
    get throws { NBAClient(endpoint: Endpoint(try HTTP.URL("https://host/v1"), self)) }
  }
}

extension Response {
  static func text(_ text: String, status: Int = 200) -> Response { Response(status, body: Array(text.utf8)) }

  /// A page of games with these ids.
  static func page(_ ids: [Int], next: String? = nil, season: Int = 2024) -> Response {
    let games = ids.map { Sample.game(id: $0, season: season) }.joined(separator: ",")
    return text(
      #"{"data":[\#(games)],"meta":{\#(next.map { #""next_cursor":\#($0),"# } ?? "")"per_page":25}}"#)
  }
}

/// Made-up rows, as the service sends them.
enum Sample {
  static let lakers =
    #"{"id":14,"conference":"West","division":"Pacific","city":"Los Angeles","name":"Lakers","full_name":"Los Angeles Lakers","abbreviation":"LAL"}"#
  static let celtics =
    #"{"id":2,"conference":"East","division":"Atlantic","city":"Boston","name":"Celtics","full_name":"Boston Celtics","abbreviation":"BOS"}"#

  static let capitols =
    #"{"id":42,"conference":" ","division":" ","city":"Washington","name":"Capitols","full_name":"Washington Capitols","abbreviation":"WAS"}"#

  static func game(
    id: Int = 1, date: String = "2024-12-25", season: Int = 2024, status: String = "Final", period: Int = 4,
    scores: (String, String) = ("110", "104"), postseason: Bool = false, home: String = lakers,
    visitor: String = celtics, more: String = ""
  ) -> String {
    """
    {"id":\(id),"date":"\(date)","season":\(season),"status":"\(status)","period":\(period),"time":"Final",\
    "postseason":\(postseason),"home_team_score":\(scores.0),"visitor_team_score":\(scores.1),\(more)\
    "home_team":\(home),"visitor_team":\(visitor)}
    """
  }
}

extension FakeClock {
  /// At noon of `day`, in a place where it is an hour later than in UTC.
  convenience init(_ day: String) {
    let days = Int64(CalendarDay(day)?.daysSinceEpoch ?? 0)
    self.init(Timestamp(seconds: days * 86_400 + 12 * 3600), offset: 3600)
  }
}
