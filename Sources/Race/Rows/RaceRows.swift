import Command
import Output
import System
import Terminal

// The columns of every result of the suite but the events of a race, which are in RaceReport.swift.

/// A row of `hw race status`: a bee and its position.
struct Standing {
  let position: Rank
  let bee: Bee

  static func all(_ bees: [Bee]) -> some Sequence<Standing> {
    bees.lazy.enumerated().map { Standing(position: Rank(number: $0 + 1), bee: $1) }
  }
}

extension Standing: Row {
  static let fields: Fields<Standing> = [
    .integer("position", "Position", "the place in the race, from 1") { $0.position.number }
      .shown { TableCell($0.position.ordinal) },
    .text("medal", "Medal", "a medal for the first three, or null", orNull: \.position.medal)
      .shown { TableCell($0.position.medal ?? "") },
    .text("name", "Name", "what the bee is called; not unique", \.bee.name),
    .text("color", "Color", "its colour as the service writes it, mostly #rrggbb", \.bee.color)
      .shown { TableCell($0.bee.style == nil ? $0.bee.color : "■ \($0.bee.color)", $0.bee.style) },
  ]
}

extension Bee {
  /// The color on a terminal; nil if it is not written in hexadecimal.
  var style: Style? { rgb.map { .color(red: $0.red, green: $0.green, blue: $0.blue) } }
}

/// The row of `hw race duration`.
struct RaceLength: Row {
  let length: Duration

  static let fields: Fields<RaceLength> = [
    .integer("timeInSeconds", "Seconds", "how long the race lasts") { Int($0.length.components.seconds) }
  ]

  static let text: (@Sendable (RaceLength, Screen?) -> String)? = { row, _ in
    "\(row.length.components.seconds)"
  }
}

/// A row of `hw race watch --plan`: a poll of the standings.
struct PlannedPoll: Row {
  let number: Int
  let at: Duration
  let length: Duration

  static let fields: Fields<PlannedPoll> = [
    .integer("look", "Look", "counts the looks, from 1") { $0.number },
    .number("at", "At", "seconds since the start", \.at.inSeconds)
      .shown { TableCell($0.at.tenths) },
    .number("remaining", "Remaining", "seconds to the finish") { ($0.length - $0.at).inSeconds }
      .shown { TableCell(($0.length - $0.at).tenths) },
  ]
}

/// The row of `hw race captcha`.
struct CaptchaOutcome: Row {
  let url: String
  let state: State

  enum State: String, CaseIterable {
    case passed
    case shown
  }

  static let fields: Fields<CaptchaOutcome> = [
    Field(
      Column(
        "state", title: "State", meaning: "passed, or merely shown where hw cannot tell",
        type: .choice(State.allCases.map(\.rawValue)))
    ) { .text($0.state.rawValue) },
    .text("captchaUrl", "CAPTCHA", "the address of its page", \.url),
  ]

  static let text: (@Sendable (CaptchaOutcome, Screen?) -> String)? = { outcome, _ in
    "\(outcome.state.rawValue): \(outcome.url.terminalSafe)"
  }
}

/// A row of `hw race history`.
struct WatchedRace: Row {
  var race: RaceHistory.Entry
  /// Converts to local time for tables.
  var time: any TimeKeeper

  static let fields: Fields<WatchedRace> = [
    .integer("id", "No.", "the number of the race, for show and replay", \.race.id),
    .time("started", "Started", "when it was watched", \.race.started)
      .shown { TableCell($0.time.local($0.race.started).minutes) },
    .number(
      "duration", "Duration", "the seconds it lasted, or null if that was not learned",
      orNull: \.race.duration),
    .text("winner", "Winner", "the bee in front at the end, or null", orNull: \.race.winner),
    Field(
      Column(
        "end", title: "End", meaning: "how it ended",
        type: .choice(RaceRecording.End.allCases.map(\.rawValue)))
    ) { .text($0.race.end.rawValue) },
    .integer("changes", "Changes", "how often the standings changed", \.race.changes),
    .text("url", "URL", "the service that was watched", \.race.url).hiddenByDefault,
  ]
}

/// A row of `hw race stats`: the wins of one name.
struct BeeRecord: Row {
  var name: String
  var wins: Int
  var share: Double
  var last: Timestamp
  /// Converts to local time for tables.
  var time: any TimeKeeper

  static let fields: Fields<BeeRecord> = [
    .text("name", "Name", "what the bee is called", \.name),
    .integer("wins", "Wins", "how many races it has won", \.wins),
    .number("share", "Share", "its part of all wins, 0 to 1") { ($0.share * 1000).rounded() / 1000 }
      .shown { TableCell("\(Int(($0.share * 100).rounded())) %") },
    .time("last", "Last", "when it last won", \.last)
      .shown { TableCell($0.time.local($0.last).minutes) },
  ]
}
