import JSON
import System

/// Reads games, many thousands of them in a row: the teams, which are the same few again and again, are made once.
struct GameReader {
  private var known: [Int: (text: [UInt8], team: Team)] = [:]

  mutating func read(_ json: JSON) throws(Failure) -> Game {
    var members = try json.inOrder
    let id = try members["id"].int
    let date = try GameReader.day(members["date"])
    let season = try members["season"].int
    let status = try members["status"].string
    let period = try members["period"].int
    let time = try members["time"].orNull?.string
    let isPostseason = try members["postseason"].bool
    let isPostponed = try members["postponed"].orNull?.bool
    let homeScore = try members["home_team_score"].int
    let visitorScore = try members["visitor_team_score"].int
    let datetime = try members["datetime"].orNull?.string
    let home = try GameReader.side(&members, GameReader.homeNames)
    let visitor = try GameReader.side(&members, GameReader.visitorNames)
    let cupStage = try members["ist_stage"].orNull?.string
    return Game(
      id: id, date: date, season: season, status: status, period: period, time: time,
      isPostseason: isPostseason, homeScore: homeScore, visitorScore: visitorScore,
      home: try team(members["home_team"]), visitor: try team(members["visitor_team"]), datetime: datetime,
      isPostponed: isPostponed, homeSide: home, visitorSide: visitor, cupStage: cupStage)
  }

  /// The day, whose hour older rows carry along: `2018-12-30T00:00:00.000Z`.
  private static func day(_ json: JSON) throws(Failure) -> String {
    var text = try json.string
    if text.utf8.count > 10 { text = String(text.prefix { $0 != "T" }) }
    guard CalendarDay(text) != nil else {
      throw json.complaint("expected a day like 2022-03-08, found '\(try json.string)'")
    }
    return text
  }

  private struct SideNames {
    let periods: InlineArray<7, StaticString>
    let timeouts: StaticString
    let bonus: StaticString
  }

  private static let homeNames = SideNames(
    periods: ["home_q1", "home_q2", "home_q3", "home_q4", "home_ot1", "home_ot2", "home_ot3"],
    timeouts: "home_timeouts_remaining", bonus: "home_in_bonus")
  private static let visitorNames = SideNames(
    periods: [
      "visitor_q1", "visitor_q2", "visitor_q3", "visitor_q4", "visitor_ot1", "visitor_ot2", "visitor_ot3",
    ],
    timeouts: "visitor_timeouts_remaining", bonus: "visitor_in_bonus")

  private static func side(
    _ members: inout JSON.InOrder, _ names: SideNames
  ) throws(Failure) -> Game.Side {
    var side = Game.Side()
    for period in 0..<7 { side.periods[period] = try members[names.periods[period]].orNull?.int }
    side.timeoutsRemaining = try members[names.timeouts].orNull?.int
    side.isInBonus = try members[names.bonus].orNull?.bool
    return side
  }

  private mutating func team(_ json: JSON) throws(Failure) -> Team? {
    guard json.orNull != nil else { return nil }
    let id = try json["id"].int
    if let known = known[id], json.isWritten(known.text) { return known.team }
    let team = try Team(json)
    var text: [UInt8] = []
    json.appendRaw(to: &text)
    // As many as there are clubs; a service that invents more does not fill the memory.
    if known.count < 256 { known[id] = (text, team) }
    return team
  }
}
