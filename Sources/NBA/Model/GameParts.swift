import JSON
import System

/// The teams of many thousands of games are the same few again and again: each is made once.
struct KnownTeams {
  private var known: [Int: (text: [UInt8], team: Team)] = [:]

  mutating func read(_ json: JSON) throws(Failure) -> Team? {
    guard json.orNull != nil else { return nil }
    var members = try json.inOrder
    let id = try members.int("id")
    if let known = known[id], json.isWritten(known.text) { return known.team }
    let team = try Team(json)
    var text: [UInt8] = []
    json.appendRaw(to: &text)
    // As many as there are clubs; a service that invents more does not fill the memory.
    if known.count < 256 { known[id] = (text, team) }
    return team
  }
}

extension Game.Side {
  /// What the members of one side are called.
  struct Names: Sendable {
    let periods: InlineArray<7, StaticString>
    let timeouts: StaticString
    let bonus: StaticString

    static let home = Names(
      periods: ["home_q1", "home_q2", "home_q3", "home_q4", "home_ot1", "home_ot2", "home_ot3"],
      timeouts: "home_timeouts_remaining", bonus: "home_in_bonus")
    static let visitor = Names(
      periods: [
        "visitor_q1", "visitor_q2", "visitor_q3", "visitor_q4", "visitor_ot1", "visitor_ot2", "visitor_ot3",
      ],
      timeouts: "visitor_timeouts_remaining", bonus: "visitor_in_bonus")
  }

  init(_ members: inout JSON.InOrder, _ names: Names) throws(Failure) {
    for period in 0..<7 { periods[period] = try members.intOrNull(names.periods[period]) }
    timeoutsRemaining = try members.intOrNull(names.timeouts)
    isInBonus = try members.boolOrNull(names.bonus)
  }
}

extension JSON {
  /// The day of a game. Older rows carry an hour along: `2018-12-30T00:00:00.000Z`.
  var gameDay: String {
    get throws(Failure) {
      var text = try string
      if text.utf8.count > 10 { text = String(text.prefix { $0 != "T" }) }
      guard CalendarDay(text) != nil else {
        throw invalid("expected a day like 2022-03-08, found '\(try string)'")
      }
      return text
    }
  }
}
