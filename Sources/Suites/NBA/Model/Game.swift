import JSON
import System

/// A game. Optional members are missing or null in many rows of the service.
final class Game: Identifiable, Sendable {
  let id: Int
  /// The American day, `YYYY-MM-DD`: such texts compare as days do.
  let date: String
  let season: Int
  /// The progress of the game, or its tip-off. Can be any text.
  let status: String?
  let period: Int?
  /// The game clock. The service sends null or a blank text if it is unknown.
  let time: String?
  let periodDetail: String?
  let isPostseason: Bool
  let isPostponed: Bool?
  /// 0 before the tip-off.
  let homeScore: Int
  let visitorScore: Int
  let datetime: String?
  let homeSide: Side
  let visitorSide: Side
  let cupStage: String?
  /// The home team; nil if it is not decided yet.
  let home: Team?
  let visitor: Team?

  struct Side: Sendable {
    /// Points of the four quarters, then of up to three overtimes.
    var periods = InlineArray<7, Int?>(repeating: nil)
    var timeoutsRemaining: Int?
    var isInBonus: Bool?
  }

  init(_ json: JSON, _ teams: inout TeamCache) throws(Failure) {
    var members = try json.inOrder
    id = try members.int("id")
    date = try members["date"].gameDay
    season = try members.int("season")
    status = try members.stringOrNull("status")
    period = try members.intOrNull("period")
    time = try members.stringOrNull("time").flatMap { $0.isBlank ? nil : $0 }
    periodDetail = try members.stringOrNull("period_detail")
    isPostseason = try members.bool("postseason")
    isPostponed = try members.boolOrNull("postponed")
    homeScore = try Game.score(&members, "home_team_score")
    visitorScore = try Game.score(&members, "visitor_team_score")
    datetime = try members.stringOrNull("datetime")
    homeSide = try Side(&members, .home)
    visitorSide = try Side(&members, .visitor)
    cupStage = try members.stringOrNull("ist_stage")
    home = try teams.read(members["home_team"])
    visitor = try teams.read(members["visitor_team"])
  }

  /// Limited, so that the points of any number of games can be added.
  private static func score(_ members: inout JSON.InOrder, _ name: StaticString) throws(Failure) -> Int {
    let score = try members.int(name)
    guard (0...9999).contains(score) else {
      throw members[name].invalid("expected 0 to 9999 points, found \(score)")
    }
    return score
  }

  // MARK: Derived values

  var isFinal: Bool { status?.lowercased().hasPrefix("final") ?? false }

  /// False for a game that was postponed and has been played.
  var isCalledOff: Bool {
    guard !isFinal else { return false }
    guard isPostponed != true else { return true }
    let status = status?.lowercased() ?? ""
    return status.hasPrefix("postponed") || status.hasPrefix("cancel")
  }

  var hasBegun: Bool { (period ?? 0) > 0 || homeScore != 0 || visitorScore != 0 || isFinal }

  /// The final of the NBA Cup counts neither for the regular season nor for the playoffs.
  var isCupFinal: Bool { cupStage?.lowercased() == "championship" }

  var hasTwoTeams: Bool { home != nil && visitor != nil && home?.id != visitor?.id }

  /// Whether the game may be over but cannot be counted: a final game without a winner or an opponent, and any other
  /// game of an earlier day, or with points and without a status. A game that has begun can last beyond midnight.
  func isUndecided(at now: Timestamp) -> Bool {
    if isFinal { return winner == nil || !hasTwoTeams }
    guard !isCalledOff else { return false }
    let today = Season.americanDay(hasBegun ? Timestamp(seconds: now.seconds - 6 * 3600) : now)
    return date < today.description || (homeScore != 0 || visitorScore != 0) && status?.isBlank ?? true
  }

  /// Whether the game is still to be played. A game of an earlier day that has not begun is not: it was postponed.
  func isUpcoming(on today: CalendarDay) -> Bool { !hasBegun && !isCalledOff && date >= today.description }

  /// The start; nil if the service has sent neither an instant nor a time of New York.
  var tipOff: Timestamp? {
    datetime.flatMap { Timestamp(utc: $0) } ?? status.flatMap { Timestamp(utc: $0) ?? easternStart($0) }
  }

  /// Reads `7:30 pm ET`.
  private func easternStart(_ text: String) -> Timestamp? {
    let words = text.lowercased().split(separator: " ")
    guard words.count == 3, words[1] == "am" || words[1] == "pm", words[2] == "et",
      let day = CalendarDay(date)
    else { return nil }
    let parts = words[0].split(separator: ":").map { Int($0) }
    guard parts.count == 2, let hour = parts[0], let minute = parts[1], (1...12).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    return Season.instant(day, minutes: (hour % 12 + (words[1] == "pm" ? 12 : 0)) * 60 + minute)
  }

  /// The id of the winner; nil before the end.
  var winner: Int? {
    guard isFinal, homeScore != visitorScore else { return nil }
    return (homeScore > visitorScore ? home : visitor)?.id
  }

  /// The status in a table: the text of the service, with the number of overtimes, or the start in the given time zone.
  func statusShown(_ clock: (Timestamp) -> WallTime) -> String? {
    if isPostponed == true, !isFinal { return "Postponed" }
    if isFinal, let period, period > 4 { return period == 5 ? "Final/OT" : "Final/\(period - 4)OT" }
    guard !hasBegun, !isCalledOff, let tipOff else { return status }
    return clock(tipOff).minutes
  }

  /// Newest first. Games of a day whose start is unknown come last.
  func precedes(_ other: Game) -> Bool {
    guard date == other.date else { return date > other.date }
    return (tipOff?.seconds ?? .min, id) > (other.tipOff?.seconds ?? .min, other.id)
  }

  /// Earliest first. Games of a day whose start is unknown come last.
  func startsBefore(_ other: Game) -> Bool {
    (date, tipOff?.seconds ?? .max, id) < (other.date, other.tipOff?.seconds ?? .max, other.id)
  }
}

/// A filter for games. The season is requested as a whole, so that one cached response serves every filter.
struct GameFilter {
  var since: CalendarDay?
  var until: CalendarDay?
  var isPostseason: Bool?
  var isPlayed = false

  func matches(_ game: Game) -> Bool {
    (!isPlayed || game.hasBegun)
      && (since.map { game.date >= $0.description } ?? true)
      && (until.map { game.date <= $0.description } ?? true)
      && (isPostseason.map { game.isPostseason == $0 && !game.isCupFinal } ?? true)
  }
}

/// Decodes each distinct team once: thousands of games contain the same few teams.
struct TeamCache {
  private var cached: [Int: (text: [UInt8], team: Team)] = [:]

  mutating func read(_ json: JSON) throws(Failure) -> Team? {
    guard json.orNull != nil else { return nil }
    var members = try json.inOrder
    let id = try members.int("id")
    if let entry = cached[id], json.hasRawBytes(entry.text) { return entry.team }
    let team = try Team(json)
    var text: [UInt8] = []
    json.appendRaw(to: &text)
    // There are 45 teams. The limit bounds the memory if a service sends more.
    if cached.count < 256 { cached[id] = (text, team) }
    return team
  }
}

extension Game.Side {
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
  /// The day of a game. Older rows also have a time: `2018-12-30T00:00:00.000Z`.
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

extension String {
  var isBlank: Bool { utf8.allSatisfy { $0 == UInt8(ascii: " ") } }
}
