import Command
import JSON
import Output
import System
import Terminal

/// Prints the events of a race as text or rows, for pipes, logs and programs.
struct RaceReport {
  let output: Output
  let messages: Messages
  /// `-q`: print only the winner's name.
  let isBrief: Bool

  /// Calls `body` with a function that prints events at once.
  func write(
    _ body: (_ report: ([RaceEvent]) throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    try output.write(each: RaceEvent.self) { rows throws(Failure) in
      let isText = try output.format(for: RaceEvent.self) == .text
      try body { events throws(Failure) in
        for event in events {
          if isText { try report(event) } else { try rows.write(event) }
        }
        try output.outlet.flush()
      }
    }
  }

  private func report(_ event: RaceEvent) throws(Failure) {
    if let note = event.note { messages.report(note) }
    guard let line = isBrief ? event.winner : event.sentence else { return }
    try output.outlet.write(line.terminalSafe + "\n")
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

  static let text: (@Sendable (RaceEvent, Screen?) -> String)? = { event, _ in
    (event.sentence ?? "").terminalSafe
  }
}

extension Bee {
  fileprivate var cell: FieldValue {
    var writer = JSONWriter()
    write(to: &writer)
    // The output of JSONWriter always parses.
    return (try? JSON.parse(writer.bytes)).map(FieldValue.json) ?? .null
  }
}
