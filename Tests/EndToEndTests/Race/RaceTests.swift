import Foundation
import Testing
import TestSupport

/// Short races, against a server that stands for as long as the line runs.
private func race(_ line: String, seconds: Int = 2, in home: Home? = nil) throws -> Ending {
  try shell("hw serve --race-seconds \(seconds) -- sh -c '\(line)'", in: home)
}

@Suite(.ownThread, .needs(.libsqlite3)) struct RaceWatchProcess {
  @Test func watchersThatStartDuringARaceReportItsWinner() throws {
    // No event: each one starts in another second of the race.
    let ending = try race(
      "for i in 1 2 3; do hw race watch --jsonl --fields event,race,winner > $i & sleep 1; done; wait; cat 1 2 3",
      seconds: 4)
    let finishes = ending.output.split(separator: "\n").filter { $0.contains("finish") }
    #expect(finishes.count == 3 && Set(finishes).count == 1, "\(finishes)")
  }

  @Test func interruptedRaceIsStored() throws {
    let home = try Home()
    let started = try Started(
      ["hw", "serve", "--race-seconds", "30", "--", "sh", "-c", "echo $$ > id; exec hw race watch"], in: home)
    try home.wait(for: ".1") { $0.contains("1st") }
    kill(try #require(pid_t(home.text("id").dropLast())), SIGINT)
    #expect(started.end().status == 130)
    let history = try shell("hw race history --jsonl", in: home)
    #expect(history.output.contains("\"end\":\"interrupted\""))
    #expect(history.output.contains("\"duration\":30"))
  }
}

@Suite(.ownThread, .needs(.libsqlite3)) struct RaceHistoryCommands {
  @Test func watchedRaceIsShownAgain() throws {
    let home = try Home()
    let ending = try race("HW_META=on hw race watch --jsonl", in: home)
    let watched = ending.output
    #expect(watched.contains(#""event":"finish""#))
    #expect(ending.errors.contains(#"{"source":"http://127.0.0.1:"#))
    #expect(try shell("hw race show 1 --jsonl", in: home) == Ending(status: 0, output: watched))
  }

  @Test func addressWithASlashAtItsEndIsTheSameService() throws {
    let ending = try race(
      "hw race watch -q; hw race watch -q --url $HW_URL/; hw race history --tsv --no-header --fields url",
      seconds: 1)
    let addresses = ending.output.split(separator: "\n").suffix(2)
    #expect(addresses.allSatisfy { $0.contains(":") } && Set(addresses).count == 1, "\(ending)")
  }
}

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
