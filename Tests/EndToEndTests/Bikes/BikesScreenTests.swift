import Foundation
import TestSupport
import Testing

/// The map on a terminal. Its keys and pictures are in the recordings of `BikesTests` and `ProgramTests`.
@Suite(.ownThread, .needs(.setsid)) struct BikesMapOnTerminal {
  @Test func mapRentsAndRestoresTerminal() throws {
    let terminal = try Terminal(columns: 60, rows: 20)
    let before = terminal.settings
    let started = try Started(
      ["setsid", "-cw", "sh", "-c", "exec hw bikes map -i"], in: Home(),
      environment: ["TERM": "xterm-256color", "HW_URL": "demo:", "HW_LOCATION": "50.1195,8.6400"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(terminal.see(" bikes") != nil)
    terminal.type("\t")
    #expect(terminal.see("Enter rents it") != nil)
    terminal.type("\r")
    #expect(terminal.see("Esc cancels") != nil)
    terminal.type("\r")
    #expect(terminal.see("is yours: PIN ") != nil)
    terminal.type("q")
    #expect(terminal.see(Terminal.leaves) != nil)
    // What was rented stays on the screen.
    #expect(terminal.see("5678") != nil)
    #expect(started.end().status == 0)
    #expect(terminal.settings == before)
  }
}
