import Foundation
import TestSupport
import Testing

/// A person at a terminal: the screen from its start to its end, and a terminal that is as it was.
@Suite(.ownThread) struct RaceOnTerminal {
  @Test func raceShowsWinnerAndRestoresTerminal() throws {
    let terminal = try Terminal(columns: 70)
    let before = terminal.settings
    let started = try Started(
      ["hw", "serve", "--race-seconds", "4", "--", "hw", "race", "watch"], in: Home(),
      environment: ["TERM": "xterm-256color", "DISPLAY": nil, "WAYLAND_DISPLAY": nil],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(terminal.see("Enter starts") != nil)
    #expect(terminal.see("It lasts 0:04; 5 requests") != nil)
    #expect(terminal.settings != before)
    terminal.type("\r")
    #expect(terminal.see("1st") != nil)
    #expect(terminal.see("wins") != nil)
    terminal.type("\r")
    let end = terminal.see("winner: Bee") ?? ""
    #expect(end.contains(Terminal.leaves))
    #expect(started.end().status == 0)
    #expect(terminal.settings == before)
  }
}
