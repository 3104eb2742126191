import JSON
import System

/// A generated game, determined by its id and the seed. The time of a request determines its progress.
struct SampleGame: Sendable {
  let id: Int
  let season: Int
  /// Index of the home team in `League.current`.
  let home: Int
  let visitor: Int
  /// American day since 1970.
  let day: Int
  /// Tip-off, in minutes after the start of `day` in UTC: mostly on the next day, above 1440.
  let minute: Int
  let isPostseason: Bool
  let isPostponed: Bool
  /// How much stronger the home team is, in points per quarter.
  let homeAdvantage: Int
  let seed: UInt64

  var tipOff: Int64 { Int64(day * 86_400 + minute * 60) }

  struct Points: Equatable, Sendable {
    var home: [Int]
    var visitor: [Int]
    var homeWins: Bool { home.reduce(0, +) > visitor.reduce(0, +) }
  }

  func points() -> Points {
    var random = SplitMix64(seed: seed ^ UInt64(id))
    var points = Points(
      home: (0..<4).map { _ in 21 + max(0, homeAdvantage) + random.next(below: 16) },
      visitor: (0..<4).map { _ in 21 + max(0, -homeAdvantage) + random.next(below: 16) })
    while points.home.reduce(0, +) == points.visitor.reduce(0, +) {
      let home = 5 + random.next(below: 10)
      points.home.append(home)
      // The third overtime has a winner.
      points.visitor.append(points.visitor.count == 6 ? home - 1 : 5 + random.next(below: 10))
    }
    return points
  }

  /// Newer members of a row. The service sends rows with all of them, with most of them null, and without them.
  private enum Detail {
    case full, null, none
  }

  private var detail: Detail { id % 5 == 0 ? .none : id % 5 == 1 ? .null : .full }

  private enum Stage {
    case scheduled
    case postponed
    case live(Int, isBreak: Bool)
    case final
  }

  private func stage(at now: Timestamp) -> Stage {
    if isPostponed { return .postponed }
    if now.seconds < tipOff { return .scheduled }
    let minutes = (now.seconds - tipOff) / 60
    guard minutes < 150 else { return .final }
    return .live(Int(minutes / 38) + 1, isBreak: minutes % 38 >= 30)
  }

  func write(to writer: inout JSONWriter, at now: Timestamp) {
    let stage = stage(at: now)
    let points = points()
    let known =
      switch stage {
      case .scheduled, .postponed: 0
      case .live(let quarter, let isBreak): isBreak ? quarter : quarter - 1
      case .final: points.home.count
      }
    writer.object { writer in
      writer.member("id", id)
      writer.member("date", CalendarDay(daysSinceEpoch: day).description)
      writer.member("season", season)
      writeStage(stage, periods: points.home.count, to: &writer)
      writer.member("postseason", isPostseason)
      writer.member("home_team_score", points.home.prefix(known).reduce(0, +))
      writer.member("visitor_team_score", points.visitor.prefix(known).reduce(0, +))
      if detail != .none {
        writer.member("datetime", Timestamp(seconds: tipOff).utcWithMilliseconds)
        writer.member("postponed", isPostponed)
        writeSide("home", points.home.prefix(known), to: &writer)
        writeSide("visitor", points.visitor.prefix(known), to: &writer)
        writer.member("ist_stage", id % 41 == 0 && !isPostseason ? "Group Play" : nil)
      }
      writer.member("home_team", League.current[home].write)
      writer.member("visitor_team", League.current[visitor].write)
    }
  }

  private func writeStage(_ stage: Stage, periods: Int, to writer: inout JSONWriter) {
    let (status, period, time): (String, Int, String?) =
      switch stage {
      case .scheduled: (startText, 0, nil)
      case .postponed: ("Postponed", 0, nil)
      case .live(2, isBreak: true): ("Halftime", 2, "6:30")
      case .live(let quarter, _): (["1st", "2nd", "3rd", "4th"][quarter - 1] + " Qtr", quarter, "6:30")
      case .final: ("Final", periods, "Final")
      }
    writer.member("status", status)
    writer.member("period", period)
    writer.member("time", time)
  }

  /// The tip-off as an instant or, in rows without the newer members, as the time on the East Coast.
  private var startText: String {
    guard detail == .none else { return Timestamp(seconds: tipOff).utc }
    // Always four hours behind UTC: sample data needs no daylight saving time.
    let minutes = (minute + 1440 - 240) % 720
    return "\(minutes / 60 == 0 ? 12 : minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60) pm ET"
  }

  private func writeSide(_ name: String, _ points: ArraySlice<Int>, to writer: inout JSONWriter) {
    for (number, period) in ["q1", "q2", "q3", "q4", "ot1", "ot2", "ot3"].enumerated() {
      writer.member("\(name)_\(period)", detail == .full && number < points.count ? points[number] : nil)
    }
    let isKnown = detail == .full && !points.isEmpty
    writer.member("\(name)_timeouts_remaining", isKnown ? id % 8 : nil)
    writer.member("\(name)_in_bonus", isKnown ? id % 2 == 0 : nil)
  }
}
