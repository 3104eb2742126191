import Command
import JSON
import Output
import System
import Terminal

/// Tells of a race in lines: for pipes, logs and programs.
struct RaceReport {
  let output: Output
  let messages: Messages
  /// `-q`: the winner's name and nothing else.
  let isBrief: Bool

  /// Hands out a function that writes events as they come, for as long as `body` runs.
  func write(
    _ body: (_ tell: ([RaceEvent]) throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    try output.write(each: RaceEvent.self) { rows throws(Failure) in
      let isText = try output.format(for: RaceEvent.self) == .text
      try body { events throws(Failure) in
        for event in events {
          if isText { try tell(event) } else { try rows.write(event) }
        }
        try output.outlet.flush()
      }
    }
  }

  private func tell(_ event: RaceEvent) throws(Failure) {
    if let note = event.note { messages.report(note) }
    guard let line = isBrief ? event.winner : event.sentence else { return }
    try output.outlet.write((output.settings.screen == nil ? line.inOneLine : line.terminalSafe) + "\n")
  }
}

extension RaceEvent {
  /// What is part of the answer; nil for what is said on the side.
  var sentence: String? {
    switch kind {
    case .start: "\(elapsed.tenths)  start: \(duration?.countdown ?? "?") to go"
    case .standings: "\(elapsed.tenths)  \(bees?.inWords ?? "")"
    case .finish: "\(elapsed.tenths)  \(verdict)"
    case .captcha, .resumed, .rateLimited, .retry, .error: nil
    }
  }

  /// `winner: Beech`.
  var verdict: String {
    guard let winner else { return "finish: nobody was in the race" }
    return "winner: \(winner)\(isProvisional == true ? " (provisional: not seen at the finish)" : "")"
  }

  /// What a person who watches wants to know beside the answer.
  var note: String? {
    let wait = wait?.tenths ?? ""
    return switch kind {
    case .start, .standings, .finish, .error: nil
    case .captcha: "the service wants a CAPTCHA solved: \(captchaUrl ?? "")"
    case .resumed: "the CAPTCHA is solved: the race goes on"
    case .rateLimited: "rate limited: next look in \(wait); the race goes on"
    case .retry: "\(message ?? ""); next try in \(wait)"
    }
  }
}

extension [Bee] {
  /// `1st Beech, 2nd BeeM`; the first twenty, since a line is to be read.
  var inWords: String {
    guard !isEmpty else { return "nobody is in the race" }
    let shown = prefix(20).enumerated().map { "\(Place(number: $0 + 1).ordinal) \($1.name)" }
    return shown.joined(separator: ", ") + (count > 20 ? " and \(count - 20) more" : "")
  }
}

extension String {
  /// A name may hold a line feed, and a line is a record.
  fileprivate var inOneLine: String {
    String(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
  }
}

extension RaceEvent: Row {
  static let fields: Fields<RaceEvent> = [
    Field(
      Column(
        "event", title: "Event", meaning: "what happened", type: .choice(Kind.allCases.map(\.rawValue)))
    ) { .text($0.kind.rawValue) },
    .integer("seq", "No.", "counts the events, from 1", \.seq),
    .number("elapsed", "Elapsed", "seconds since the race began", \.elapsed.inSeconds),
    .number(
      "remaining", "Remaining", "seconds to the finish, or null before the race",
      orNull: \.remaining?.inSeconds),
    .number(
      "duration", "Duration", "of start: the seconds that the race lasts", orNull: \.duration?.inSeconds),
    .text("winner", "Winner", "of finish: the bee in front, or null when nobody was there", orNull: \.winner),
    .flag(
      "provisional", "Provisional", "of finish: the standings are not the finish's own",
      orNull: \.isProvisional),
    Field(
      Column(
        "beeList", title: "Bees", meaning: "of standings and finish: names and colours, in the race's order",
        type: .list(.object), isOptional: true)
    ) { $0.bees.map { .list($0.map(\.cell)) } ?? .null },
    .text("captchaUrl", "CAPTCHA", "of captcha and error: where it is solved", orNull: \.captchaUrl),
    .number(
      "wait", "Wait", "of rate_limited and retry: seconds until the next attempt", orNull: \.wait?.inSeconds),
    .text("message", "Message", "of retry and error: what went wrong", orNull: \.message),
  ]

  static let text: (@Sendable (RaceEvent, Screen?) -> String)? = { event, _ in event.sentence ?? "" }
}

extension Bee {
  fileprivate var cell: Cell {
    var writer = JSONWriter()
    write(to: &writer)
    // What the writer made is JSON.
    return (try? JSON.parse(writer.bytes)).map(Cell.json) ?? .null
  }
}
