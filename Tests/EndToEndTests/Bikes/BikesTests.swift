import Foundation
import Testing
import TestSupport

/// The bikes suite as a user has it, against `hw serve` and against the original's routes.
@Suite(.ownThread) struct BikesCommands {
  @Test func pinIsNotInListsOrLogs() throws {
    let ending = try shell(
      """
      for format in table json jsonl csv tsv; do hw bikes list --anywhere -o $format; hw bikes show 1 -o $format; done
      hw bikes map --geojson; hw bikes export; hw bikes export --gbfs feed; cat feed/*
      echo 5678 | hw bikes add -vv --name W --frame-color red --pin-file - --at 1,1
      echo 5678 | hw bikes add --explain --name W --frame-color red --pin-file - --at 1,1 --url http://localhost
      """)
    #expect(ending.status == 0)
    #expect(!(ending.output + ending.errors).discloses(pin: "5678"))
  }
}

/// Against the original's routes, re-created.
@Suite(.ownThread, .needs(.express, .node)) struct BikesOnOriginalServer {
  private final class Original {
    let home: Home
    let started: Started

    init() throws {
      let home = try Home()
      self.home = home
      let script = GeneratedFiles.root.appending(path: "Tests/bench/bikes-original.js").path
      started = try Started(["node", script], in: home, environment: ["NODE_PATH": "/usr/share/nodejs"])
      try home.wait(for: ".1") { $0.hasSuffix("\n") }
    }

    func hw(_ words: String, _ status: Int32 = 0, by user: String = "u") throws -> Ending {
      // In a home beside it: the server's own output has the usual names.
      let line = "mkdir -p \(user) && HOME=$PWD/\(user) HW_URL=$(head -n 1 .1) hw bikes \(words)"
      let ending = try Started(["sh", "-c", "cd '\(home.path)' && \(line)"], in: Home()).end()
      #expect(ending.status == status, "hw bikes \(words): \(ending.errors)")
      return ending
    }
  }

  @Test func originalServerRentsAndReturns() throws {
    let original = try Original()
    #expect(
      try original.hw("list --near 50.119504,8.638137 --radius 200 --tsv --no-header --fields id").output
        == "0\n1\n")
    #expect(try original.hw("rent 1 --tsv --no-header --fields pin").output == "5678\n")
    #expect(try original.hw("rent 1", 4).errors.contains("bike 1 is rented already, by you: noted since"))
    #expect(try original.hw("rent 1", 4, by: "other").errors.contains("bike 1 is rented\n"))
    #expect(try original.hw("list --anywhere --tsv --no-header --fields id").output == "0\n2\n")
    #expect(try original.hw("return --at 50.2,8.7 --tsv --no-header --fields id").output == "1\n")
    #expect(
      try original.hw("show 1 --tsv --no-header --fields location,rented").output == "50.2\t8.7\tfalse\n")
    #expect(try original.hw("return 1 --at 50.2,8.7", 4).errors.contains("bike 1 is not rented"))
    #expect(try original.hw("show 77", 3).errors.contains("there is no bike '77'"))
    #expect(try original.hw("rent 77", 3).errors.contains(/there is no bike|doesn't exist/))
  }
}

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
