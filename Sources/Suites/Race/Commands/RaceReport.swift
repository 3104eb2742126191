import Command
import Output
import System
import Terminal

/// Writes the events of a race: as text, with notes on standard error, or as rows.
struct RaceReport {
  let output: Output
  let messages: Messages
  let isBrief: Bool
  /// Reports errors, which are a part of a recording. The error of a live race is the failure of the command.
  var isRecorded = false

  func write(
    _ body: (_ report: ([RaceEvent]) throws(Failure) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    try output.write(each: RaceEvent.self) { rows throws(Failure) in
      let isText = output.printsText(of: RaceEvent.self)
      try body { events throws(Failure) in
        for event in events {
          if isText { try report(event) } else { try rows.write(event) }
        }
        try output.outlet.flush()
      }
    }
  }

  private func report(_ event: RaceEvent) throws(Failure) {
    if let note = event.note ?? (isRecorded ? event.message : nil) { messages.report(note) }
    guard let line = isBrief ? event.winner : event.sentence else { return }
    let width = output.settings.screen?.width
    for line in width.map({ WordWrap.lines(line.terminalSafe, width: $0) }) ?? [line.terminalSafe] {
      try output.outlet.write(line + String(UnicodeScalar(output.settings.terminator)))
    }
  }
}
