import Foundation
import TestSupport
import Testing

/// A person who watches a ranking.
@Suite(.ownThread, .needs(.setsid)) struct WatchedNodesOnTerminal {
  @Test func watchScrollsAndKeepsRowsAfterFailure() throws {
    let server = try Serving.Server()
    let terminal = try Terminal(columns: 90, rows: 10)
    let before = terminal.settings
    let started = try Started(
      ["setsid", "-cw", "sh", "-c", "exec hw nodes top --watch 10 --limit 30 --retries 0"], in: Home(),
      environment: ["TERM": "xterm-256color", "HW_URL": server.url],
      input: terminal.descriptor, output: terminal.descriptor, errors: terminal.descriptor)
    let first = try #require(terminal.see("q quits"))
    #expect(first.contains("\u{1B}[?1049h") && first.contains("Alias") && terminal.settings != before)
    let list = try shell(
      "hw nodes top --limit 30 --fields alias --tsv --no-header", environment: ["HW_URL": server.url])
    let last = try #require(list.output.split(separator: "\n").last).prefix(12)
    terminal.type("\u{1B}[F")
    #expect(terminal.see(String(last)) != nil)
    _ = server.stop()
    #expect(terminal.see("stale: ") != nil)
    // Drawn anew, it still has the heading and the last row.
    terminal.resize(columns: 91, rows: 10)
    #expect(terminal.see("\u{1B}[2J") != nil)
    let kept = try #require(terminal.see("stale: "))
    #expect(kept.contains("Alias") && kept.contains(last))
    terminal.type("q")
    #expect(terminal.see(Terminal.leaves) != nil)
    #expect(started.end() == Ending(status: 0))
    #expect(terminal.settings == before)
  }
}
