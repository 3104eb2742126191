import Foundation
import TestSupport
import Testing

/// A person at a terminal: the screen from its start to its end, and a terminal that is as it was.
@Suite(.ownThread) struct RaceOnTerminal {
  private let home: Home
  private let terminal: Terminal

  init() throws {
    home = try Home()
    terminal = try Terminal(columns: 70)
  }

  private func start(_ options: String, serve: String = "--race-seconds 4") throws -> Started {
    let line = "echo $$ > id; exec hw race watch \(options)"
    return try Started(
      ["hw", "serve"] + serve.split(separator: " ").map(String.init) + ["--", "sh", "-c", line], in: home,
      environment: ["TERM": "xterm-256color", "DISPLAY": nil, "WAYLAND_DISPLAY": nil],
      input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
  }

  /// Everything up to the text; nil when it never comes.
  private func see(_ text: String) -> String? { terminal.see(text) }

  private var id: pid_t { pid_t(home.text("id").dropLast()) ?? 0 }
  @Test func raceShowsWinnerAndRestoresTerminal() throws {
    let before = terminal.settings
    let started = try start("")
    #expect(see("Enter starts") != nil)
    #expect(see("It lasts 0:04; 5 requests") != nil)
    #expect(terminal.settings != before)
    terminal.type("\r")
    #expect(see("1st") != nil)
    #expect(see("wins") != nil)
    terminal.type("\r")
    let end = see("winner: Bee") ?? ""
    #expect(end.contains(Terminal.leaves))
    #expect(started.end().status == 0)
    #expect(terminal.settings == before)
  }

  @Test(
    arguments: [("q", 1 as Int32), ("interrupt", 130), ("end", 143)])
  func signalRestoresTerminal(way: String, status: Int32) throws {
    let before = terminal.settings
    let started = try start("--start", serve: "--race-seconds 60")
    #expect(see("1st") != nil)
    switch way {
    case "q": terminal.type("q")
    case "end": kill(id, SIGTERM)
    default: kill(id, SIGINT)
    }
    #expect(see(Terminal.leaves) != nil)
    #expect(started.end().status == status)
    #expect(terminal.settings == before)
  }
}
