import Output
import System
import Terminal

struct StandingRow: Row {
  let position: Rank
  let bee: Bee

  static func all(_ bees: [Bee]) -> some Sequence<StandingRow> {
    bees.lazy.enumerated().map { StandingRow(position: Rank(number: $0 + 1), bee: $1) }
  }

  static let fields: Fields<StandingRow> = [
    .integer("position", "Position", "the position in the race, from 1") { $0.position.number }
      .shown { TableCell($0.position.ordinal) },
    Field.text("medal", "Medal", "a medal for the first three, else null", orNull: \.position.medal)
      .among(["🥇", "🥈", "🥉"]),
    .text("name", "Name", "the name of the bee; not unique", \.bee.name)
      .shown { TableCell($0.bee.name, $0.position.number == 1 ? .bold : nil) },
    .text("color", "Color", "the color as sent by the service, usually #rrggbb", orNull: \.bee.color)
      .shown { TableCell("\($0.bee.style == nil ? "" : "• ")\($0.bee.color ?? "-")", $0.bee.style) },
  ]
}

extension Bee {
  /// The style of the dot; nil if the color is not hexadecimal.
  var style: Style? { rgb.map { .filled(red: $0.red, green: $0.green, blue: $0.blue) } }

  fileprivate var cell: FieldValue {
    .record([("name", .text(name))] + (color.map { [("color", .text($0))] } ?? []))
  }
}

struct RaceLength: Row {
  let length: Duration

  static let fields: Fields<RaceLength> = [
    .integer("timeInSeconds", "Seconds", "the length of the race") { Int($0.length.components.seconds) }
  ]

  static let text: (@Sendable (RaceLength, Screen?) -> String)? = { row, _ in
    "\(row.length.components.seconds)"
  }
}

struct CaptchaOutcome: Row {
  let url: String
  let state: State

  enum State: String, CaseIterable {
    case passed
    case shown
  }

  static let fields: Fields<CaptchaOutcome> = [
    .choice("state", "State", "passed, or shown if the result is unknown", \.state),
    .text("captchaUrl", "CAPTCHA", "the address of its page", \.url),
  ]

  static let text: (@Sendable (CaptchaOutcome, Screen?) -> String)? = { outcome, _ in
    "\(outcome.state == .passed ? "passed" : "solve the CAPTCHA at"): \(outcome.url.terminalSafe)"
  }
}

struct WatchedRace: Row {
  var race: RaceHistory.Entry
  var time: any TimeKeeper

  static let fields: Fields<WatchedRace> = [
    .integer("id", "No.", "the number of the race", \.race.id),
    .time("started", "Started", "the start of the race", \.race.started)
      .shown { TableCell($0.time.local($0.race.started).minutes) },
    .number(
      "duration", "Seconds", "the length of the race in seconds; null if unknown",
      orNull: \.race.duration),
    .text("winner", "Winner", "the leader at the finish; null if unknown", orNull: \.race.winner),
    .choice("end", "End", "how the race ended", \.race.end),
    .integer("changes", "Changes", "the number of changes of the standings", \.race.changes),
    .text("url", "URL", "the address of the service", \.race.url).hiddenByDefault,
  ]
}

struct BeeRecord: Row {
  var record: RaceHistory.Record
  var share: Double
  var time: any TimeKeeper

  static let fields: Fields<BeeRecord> = [
    .text("name", "Name", "the name of the bee", \.record.bee),
    .integer("wins", "Wins", "the number of races it won", \.record.wins),
    .integer("podiums", "Podiums", "the number of finishes among the first three", \.record.podiums),
    .integer("races", "Races", "the number of races", \.record.races),
    .number("meanPosition", "Mean place", "the mean of its positions at the finish") { $0.meanPosition }
      .shown { TableCell($0.meanPosition.fixed(2)) },
    .number("share", "Share of wins", "the share of all wins of the service, from 0 to 1") {
      ($0.share * 1000).rounded() / 1000
    }
    .shown { TableCell("\(Int(($0.share * 100).rounded())) %") },
    .time("last", "Last", "the time of the last win; null if none", orNull: \.record.lastWin)
      .shown { row in TableCell(row.record.lastWin.map { row.time.local($0).minutes } ?? "-") },
    .text("url", "URL", "the address of the service", \.record.url).hiddenByDefault,
  ]

  /// Rounded to two decimals.
  private var meanPosition: Double {
    (Double(record.positions * 100) / Double(record.races)).rounded() / 100
  }
}

extension RaceEvent: Row {
  static let fields: Fields<RaceEvent> = [
    .choice("event", "Event", "the kind of event", \.kind),
    .integer("seq", "No.", "the number of the event, from 1", \.seq),
    .number("elapsed", "Elapsed", "seconds since the race began", \.elapsed.seconds),
    .number(
      "remaining", "Remaining", "seconds to the finish; null before the race",
      orNull: \.remaining?.seconds),
    .number("duration", "Duration", "start: the length of the race in seconds", orNull: \.duration?.seconds),
    .text("race", "Race", "start, finish: id of the race, or null", orNull: \.race),
    .text("winner", "Winner", "finish: the winner, or null if provisional", orNull: \.winner),
    .text("leader", "Leader", "finish: the leader of the last standings", orNull: \.leader),
    .flag("provisional", "Provisional", "finish: whether the winner is unknown", orNull: \.isProvisional),
    Field(
      Column(
        "beeList", title: "Bees", meaning: "standings, finish: the bees, leader first",
        type: .list(.object), isOptional: true)
    ) { $0.bees.map { .list($0.map(\.cell)) } ?? .null },
    .text("captchaUrl", "CAPTCHA", "captcha, error: address of the CAPTCHA", orNull: \.captchaUrl),
    .number("wait", "Wait", "rate_limited, retry: seconds to wait", orNull: \.wait?.seconds),
    .text("message", "Message", "retry, error, provisional finish: the reason", orNull: \.message),
  ]

  static let text: (@Sendable (RaceEvent, Screen?) -> String)? = { event, _ in
    (event.sentence ?? "").terminalSafe
  }
}
