import Foundation
import TestSupport
import Testing

/// A person at a terminal: the screen from its start to its end, and a terminal that is as it was.
@Suite(.ownThread, .needs(.libsqlite3)) struct RaceOnTerminal {
  private func watch(_ options: [String] = [], seconds: Int, on terminal: Terminal) throws -> Started {
    try Started(
      ["hw", "serve", "--race-seconds", "\(seconds)", "--", "hw", "race", "watch"] + options, in: Home(),
      environment: ["TERM": "xterm-256color", "DISPLAY": nil, "WAYLAND_DISPLAY": nil],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
  }

  @Test func raceShowsWinnerAndRestoresTerminal() throws {
    let terminal = try Terminal(columns: 70)
    let before = terminal.settings
    let started = try watch(seconds: 4, on: terminal)
    #expect(terminal.see("Enter starts") != nil)
    // Drawn over 'Requesting the length of the race…', with which the rest has cells in common. On a slow machine a part
    // of the race is over.
    #expect(terminal.see("It lasts 0:0") != nil)
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

  @Test func raceThatIsLeftEndsWithStatus1() throws {
    let terminal = try Terminal(columns: 70)
    let started = try watch(["--start"], seconds: 60, on: terminal)
    #expect(terminal.see("1st") != nil)
    terminal.type("q")
    #expect(terminal.see(Terminal.leaves) != nil)
    #expect(started.end().status == 1)
  }
}
