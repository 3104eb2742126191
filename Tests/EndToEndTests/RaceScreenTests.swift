import Foundation
import TestSupport
import Testing

/// A person at a terminal: the screen from its start to its end, and a terminal that is as it was.
@Suite(.ownThread) struct RaceOnATerminal {
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
  @Test func fromEnterToTheWinnerAndTheLineThatStays() throws {
    let before = terminal.settings
    let started = try start("--bell")
    #expect(see("Enter starts") != nil)
    #expect(see("It lasts 0:04; 5 requests") != nil)
    #expect(terminal.settings != before)
    terminal.type("\r")
    #expect(see("1st") != nil)
    let finish = try #require(see("wins"))
    terminal.type("\r")
    let end = see("winner: Bee") ?? ""
    #expect(end.contains(Terminal.leaves))
    #expect((finish + end).contains("\u{7}"), "the bell")
    #expect(started.end().status == 0)
    #expect(terminal.settings == before)
  }

  @Test(
    "On the way out the terminal is as it was",
    arguments: [("q", 1 as Int32), ("interrupt", 130), ("end", 143)])
  func out(way: String, status: Int32) throws {
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

  @Test func suspendedItGivesTheTerminalBackAndDrawsItselfAnewAfterwards() throws {
    let before = terminal.settings
    let started = try start("--start", serve: "--race-seconds 60")
    #expect(see("1st") != nil)
    kill(id, SIGTSTP)
    #expect(see(Terminal.leaves) != nil)
    try Started.wait(for: "T", of: id)
    #expect(terminal.settings == before)
    kill(id, SIGCONT)
    #expect(see("1st") != nil)
    #expect(terminal.settings != before)
    terminal.type("q")
    #expect(started.end().status == 1)
    #expect(terminal.settings == before)
  }

  @Test func aFailureIsAScreenAndThenTheStatus() throws {
    let started = try start("--start --retries 0", serve: "--fault race=drop:1")
    #expect(see("r retry") != nil)
    terminal.type("r")
    #expect(see("Requesting the length") != nil)
    #expect(see("r retry") != nil)
    terminal.type("q")
    #expect(started.end().status == 5)
  }

  /// The first server is none: a port that refuses. The second attempt finds one there.
  @Test func bothAttemptsAreInTheHistoryAndInTheFile() throws {
    let port = try Loopback.freePort()
    let started = try Started(
      ["hw", "race", "watch", "--start", "--retries", "0", "--save", "both.jsonl"], in: home,
      environment: ["TERM": "xterm-256color", "HW_URL": "http://127.0.0.1:\(port)"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(see("r retry") != nil)
    let server = try Started(
      ["hw", "serve", "--race-seconds", "2", "--listen", "127.0.0.1:\(port)", "--ready-file", "ready"],
      in: home)
    try home.wait(for: "ready")
    terminal.type("r")
    #expect(see("wins") != nil)
    terminal.type("q")
    let end = see("winner: Bee") ?? ""
    #expect(started.end().status == 0)
    #expect(!end.contains("not kept in the history"))
    kill(server.id, SIGTERM)
    _ = server.end()

    let history = try shell("hw race history --tsv --no-header --fields id,end", in: home)
    #expect(history.output == "2\tfinished\n1\tfailed\n")
    let saved = home.text("both.jsonl")
    let shown = try shell("hw race show 1 --jsonl && hw race show 2 --jsonl", in: home)
    #expect(saved.split(separator: "\n").map { $0.contains("\"seq\":1,") }.filter { $0 }.count == 2)
    let read = try shell("hw race show both.jsonl --jsonl", in: home)
    #expect(read.status == 0 && read.output == shown.output)
  }

  /// On the screen a message would be drawn over: it follows when the screen is gone.
  @Test func aHistoryThatCannotBeWrittenIsReportedAfterTheScreen() throws {
    let started = try Started(
      ["hw", "race", "watch", "--start", "--url", "embedded:races"], in: home,
      environment: ["TERM": "xterm-256color", "XDG_DATA_HOME": "/dev/null/none"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(see("1st") != nil)
    terminal.type("q")
    #expect(see(Terminal.leaves) != nil)
    #expect(see("this race is not added to the history") != nil)
    #expect(started.end().status == 1)
  }

  @Test(
    "The leader is on every screen",
    arguments: [(200, 60), (80, 24), (40, 12), (10, 5)] as [(UInt16, UInt16)])
  func sizes(columns: UInt16, rows: UInt16) throws {
    let terminal = try Terminal(columns: columns, rows: rows)
    let started = try Started(
      ["hw", "serve", "--race-seconds", "60", "--", "hw", "race", "watch", "--start"], in: home,
      environment: ["TERM": "xterm-256color"], input: terminal.descriptor, output: terminal.descriptor,
      errors: terminal.descriptor)
    #expect(terminal.see(columns < 22 ? "1 " : "1st") != nil)
    #expect(terminal.see("Bee") != nil)
    terminal.type("q")
    #expect(started.end().status == 1)
  }

  @Test func whoLeavesAReplayIsNotToldTheWinner() throws {
    _ = try shell("hw serve --race-seconds 3 -- hw race watch --save race.jsonl -q", in: home)
    let started = try Started(
      ["hw", "race", "show", "--play", "race.jsonl"], in: home, environment: ["TERM": "xterm"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(see("1st") != nil)
    terminal.type("q")
    #expect(started.end().status == 0)
    #expect(!terminal.text.contains("winner:"))
  }

  @Test func aRecordingIsReplayedOnTheSameScreen() throws {
    let made = try shell(
      "hw serve --race-seconds 2 -- hw race watch --save race.jsonl -q", in: home)
    let started = try Started(
      ["hw", "race", "show", "race.jsonl", "--play", "--speed", "4"], in: home,
      environment: ["TERM": "xterm"],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    #expect(see("wins") != nil)
    terminal.type("q")
    #expect(see("winner: \(made.output.dropLast())") != nil)
    #expect(started.end().status == 0)
  }
}
