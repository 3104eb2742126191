import Foundation
import TestSupport
import Testing

/// The browser in a terminal that a program can read: tmux.
@Suite(.ownThread, .needs(.tmux), .serialized) struct WordleBrowser {
  /// One window on a server of its own.
  final class Window {
    let home: Home

    init(_ command: String, columns: Int, rows: Int, environment: [String: String] = [:]) throws {
      home = try Home()
      var variables = Installed.environment(home: home.path)
      variables.merge(environment) { $1 }
      let settings = variables.sorted { $0.key < $1.key }.map { "\($0)='\($1)'" }.joined(separator: " ")
      // What the shell says after the program tells how it ended.
      try "stty -g >before; \(command); echo \"status $?\" >ended; stty -g >after; cat\n".write(
        toFile: "\(home.path)/run", atomically: true, encoding: .utf8)
      tmux(
        "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", home.path,
        "exec env \(settings) sh ./run")
    }

    deinit { tmux("kill-server") }

    @discardableResult
    func tmux(_ words: String...) -> String {
      let started = try? Started(["tmux", "-u", "-S", "tmux"] + words, in: home)
      return started?.end().output ?? ""
    }

    func press(_ keys: String...) {
      for key in keys { tmux("send-keys", key) }
    }

    /// Bytes as a terminal sends them, at once.
    func send(_ bytes: String) {
      _ = try? Started(
        ["tmux", "-S", "tmux", "send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) }, in: home
      ).end()
    }

    var screen: String { tmux("capture-pane", "-p") }

    /// Waits until the screen is as wanted, and returns it.
    func wait(_ description: String, _ isWanted: (String) -> Bool) throws -> String {
      try waitFor(description) {
        let screen = screen
        return isWanted(screen) ? screen : nil
      }
    }

    func see(_ text: String) throws -> String { try wait("'\(text)' on the screen") { $0.contains(text) } }

    /// How the program ended, once it has.
    var ending: String {
      get throws {
        try home.wait(for: "after") { $0.hasSuffix("\n") }
        return home.text("ended")
      }
    }

    var isRestored: Bool { !home.text("after").isEmpty && home.text("after") == home.text("before") }
  }

  private static let plain = ["NO_COLOR": "1"]

  @Test func keysMouseAndResize() throws {
    let window = try Window(
      "HW_WORDLE_ANIMATION=off hw wordle scores -i --until 2022-03-10", columns: 80, rows: 20,
      environment: WordleBrowser.plain)
    var screen = try window.see("Wordle 264 3/6")
    #expect(screen.contains("Wordle 264 3/6     Wordle 263 4/6     Wordle 262 4/6"))
    #expect(screen.contains("q quit"))
    #expect(!screen.contains("S"), "no letter of a word is shown")
    window.press("Space")
    _ = try window.see("(S)")
    window.press("Space")
    _ = try window.wait("no letter S") { !$0.contains("(S)") }
    // A click on the second card's last row, first cell: row 8, column 18, counted from 1 in the report.
    window.send("\u{1B}[<0;20;8M\u{1B}[<0;20;8m")
    screen = try window.see("[M][O][N][T][H]")
    #expect(!screen.contains("[L]"), "another card")
    window.send("\u{1B}[<0;20;8M")
    screen = try window.wait("no letter M") { !$0.contains("[M]") }
    #expect(!screen.contains("[M]"))
    window.tmux("resize-window", "-x", "40", "-y", "20")
    screen = try window.see("Wordle 264 3/6     Wordle 263 4/6\n")
    #expect(screen.contains("Wordle 264 3/6     Wordle 263 4/6\n"))
    window.press("R")
    #expect(try window.see("[L][A][P][S][E]").contains("[L][A][P][S][E]"))
    window.press("/", "s", "w", "e")
    #expect(try window.see("/swe").contains("/swe"))
    window.press("Enter")
    #expect(try window.see("3 of 3").contains("3 of 3"))
    window.press("?")
    #expect(try window.see("any key").contains("Page Up, Page Down"))
    window.press("x", "q")
    #expect(try window.ending == "status 0\n")
    #expect(window.isRestored)
  }

  /// A report whose halves come far apart is a click all the same; one whose second half never comes is nothing, and
  /// takes away no key.
  @Test func mouseBytesCutInHalf() throws {
    let window = try Window(
      "HW_WORDLE_ANIMATION=off hw wordle scores -i --until 2022-03-10", columns: 80, rows: 20,
      environment: WordleBrowser.plain)
    _ = try window.see("q quit")
    // Half of a report changes nothing that could be waited for.
    let pause: useconds_t = 300_000
    window.send("\u{1B}[<0;2")
    usleep(pause)
    window.send("0;8M")
    #expect(try window.see("[M]").contains("[M]"))
    window.send("\u{1B}[<0;2")
    usleep(pause)
    window.press("?")
    #expect(try window.see("any key").contains("any key"))
    window.send("\u{1B}[<0;2")
    window.press("x")
    #expect(try window.see("q quit").contains("[M]"))
    window.send("\u{1B}[<0;20;")
    window.press("q")
    #expect(try window.ending == "status 0\n")
    #expect(window.isRestored)
  }

  @Test func aServiceThatCrashesBeforeItAnswers() throws {
    let server = try LoopbackServer { _ in .hangUp }
    let window = try Window(
      "hw wordle scores -i --retries 0 --url \(server.url) 2>errors", columns: 80, rows: 20,
      environment: WordleBrowser.plain)
    #expect(try window.ending == "status 5\n")
    #expect(window.isRestored)
    #expect(window.home.text("errors").hasPrefix("hw: "))
  }

  /// Every score was had with the first answer.
  @Test func aServiceThatCrashesAfterwards() throws {
    let server = try Serving.Server()
    let window = try Window(
      "HW_WORDLE_ANIMATION=off hw wordle scores -i --until 2022-03-10 --url \(server.url)", columns: 80,
      rows: 20,
      environment: WordleBrowser.plain)
    _ = try window.see("q quit")
    kill(server.started.id, SIGKILL)
    _ = server.started.end()
    window.press("R")
    #expect(try window.see("[L][A][P][S][E]").contains("[L][A][P][S][E]"))
    window.press("q")
    #expect(try window.ending == "status 0\n")
    #expect(window.isRestored)
  }

  @Test func tenByThree() throws {
    let window = try Window("hw wordle scores -i", columns: 10, rows: 3, environment: WordleBrowser.plain)
    #expect(try window.see("Wordle").hasPrefix("Wordle 300\n"))
    window.press("q")
    #expect(try window.ending == "status 0\n")
  }

  /// At every size a card is shown, Enter turns it, no line is longer than the screen, and the terminal is restored.
  @Test(arguments: [(200, 60), (80, 24), (40, 12), (10, 5)])
  func sizes(columns: Int, rows: Int) throws {
    let window = try Window(
      "hw wordle scores -i", columns: columns, rows: rows, environment: WordleBrowser.plain)
    let hidden = try window.see("300")
    window.press("Enter")
    let turned = try window.wait("the card to turn") { $0 != hidden && $0.contains("(A)") }
    #expect(turned.split(separator: "\n").allSatisfy { $0.count <= columns })
    window.press("q")
    #expect(try window.ending == "status 0\n")
    #expect(window.isRestored)
  }

  @Test(
    "The terminal is given back, however it ends", arguments: [("TERM", 143), ("INT", 130), ("HUP", 129)])
  func signals(signal: String, status: Int) throws {
    let window = try Window(
      "hw wordle scores -i", columns: 80, rows: 20, environment: WordleBrowser.plain)
    _ = try window.see("q quit")
    let own = window.tmux("display-message", "-p", "#{pane_pid}").trimmingCharacters(
      in: .whitespacesAndNewlines)
    let children = try String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)
    let id = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
    kill(id, ["TERM": SIGTERM, "INT": SIGINT, "HUP": SIGHUP][signal] ?? SIGTERM)
    #expect(try window.ending == "status \(status)\n")
    #expect(window.isRestored)
    #expect(!window.screen.contains("q quit"))
  }

  @Test("What is deleted is asked about first", arguments: [("n", 1, "4"), ("", 1, "4"), ("y", 0, "3")])
  func question(answer: String, status: Int, left: String) throws {
    let count = "hw wordle scores --jsonl"
    let window = try Window(
      "hw wordle add --id 1 --date 2021-06-20 --word at --tries at -q >/dev/null; hw wordle reset",
      columns: 80,
      rows: 20, environment: ["HW_URL": "embedded:db"])
    #expect(
      try window.see("[y/N]").contains("Delete every score, and go back to the three initial ones? [y/N]"))
    window.press(answer, "Enter")
    #expect(try window.ending == "status \(status)\n")
    let scores = try shell("\(count) | wc -l", in: window.home, environment: ["HW_URL": "embedded:db"])
    #expect(scores.output.trimmingCharacters(in: .whitespacesAndNewlines) == left)
  }
}
