import Foundation
import JSON
import Testing
import TestSupport

/// Copies of a ranking, and what lies between two.
@Suite(.ownThread) struct SnapshotProcesses {
  /// Six at once leave whole files, as many as are kept.
  @Test func parallelSnapshotsAreComplete() throws {
    let home = try Home()
    let line = """
      f=.local/state/hw/nodes; mkdir -p $f
      for s in 1 2 3 4; do touch $f/connectivity-2001-01-01T00000${s}Z-mainnet-demo%3A.json; done
      for i in 1 2 3 4 5 6; do hw nodes snapshot --keep 3 >>paths & done; wait
      hw nodes diff latest -q
      """
    let ending = try shell(line, in: home)
    #expect(ending.status == 0 && ending.errors == "")
    let paths = home.text("paths").split(separator: "\n")
    let left = home.names(".local/state/hw/nodes")
    #expect(Set(paths).count == 6 && left.count == 3)
    for name in left {
      #expect(
        [4, 5, 6].contains { name.contains("Z.\($0)-") } && paths.contains { $0.hasSuffix("/\(name)") })
      #expect(
        try JSON.parse(home.text(".local/state/hw/nodes/\(name)"))["nodes"].array.count == 100, "\(name)")
    }
  }

  /// A change that could not be printed is reported by the next run.
  @Test func aChangeIsReportedUntilItWasPrinted() throws {
    let home = try Home()
    let edit = """
      hw nodes snapshot >first; f=$(cat first); sed 's/"channels":2923,/"channels":2916,/' $f >new; mv new $f
      """
    #expect(try shell(edit, in: home).status == 0)
    for (output, status) in [(">/dev/full", 10), (">&-", 10)] as [(String, Int32)] {
      let lost = try shell("hw nodes snapshot --diff \(output)", in: home)
      #expect(lost.status == status && home.names(".local/state/hw/nodes").count == 1, "\(output): \(lost)")
    }
    let reported = try shell("hw nodes snapshot --diff", in: home)
    #expect(reported.status == 1 && reported.output.contains("  +7 channels"), "\(reported)")
    #expect(try shell("hw nodes snapshot --diff", in: home).status == 0)
  }

  /// The README's script for cron, with a `mail` that writes to a file.
  @Test func readmeCronScriptMailsChanges() throws {
    let readme = try String(contentsOf: GeneratedFiles.root.appending(path: "README.md"), encoding: .utf8)
    let script = try #require(Readme.blocks(of: readme).first { $0.text.contains("mail -s") }).text
    let home = try Home()
    try home.install("mail", "#!/bin/sh\necho mail >>mails; cat >>mails\n")
    func run(_ setting: String = "") throws -> String {
      try Data().write(to: URL(filePath: "\(home.path)/mails"))
      _ = try shell("PATH=$PWD/.bin:$PATH\n\(setting)\n\(script)", in: home)
      return home.text("mails")
    }
    // Without a snapshot, and without a change, there is nothing to mail.
    #expect(try run() == "")
    #expect(try run() == "")
    let count = "ls .local/state/hw/nodes | wc -l"
    #expect(try ["1\n", "2\n"].contains(shell(count, in: home).output))
    let edit = """
      cd .local/state/hw/nodes; for f in *; do sed 's/"channels":2923,/"channels":2916,/' $f >../new && mv ../new $f; done
      """
    #expect(try shell(edit, in: home).status == 0)
    let mail = try run().split(separator: "\n")
    #expect(mail.count == 3 && mail.first == "mail")
    #expect(mail.last?.hasPrefix("changed  lunar.dock.com  ") == true)
    #expect(mail.last?.contains("  +7 channels") == true)
    // It is mailed once.
    #expect(try run() == "")
    // An error is no change.
    #expect(try run("export HW_URL=http://127.0.0.1:1") == "")
  }
}

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

  /// The response never comes: a key has to be enough.
  @Test(arguments: ["nodes top --watch 10", "bikes list --watch 2 --anywhere"])
  func watchIsLeftWhileRequestHangs(_ words: String) throws {
    let home = try Home()
    let body = try KnownAttacks.node("alias")
    let server = try LoopbackServer { request in
      request.number > 1 ? .silence : .response(body: request.target.contains("/bikes") ? "[]" : body)
    }
    let terminal = try Terminal(columns: 90, rows: 10)
    let before = terminal.settings
    let started = try Started(
      [
        "setsid", "-cw", "sh", "-c",
        "hw \(words) --timeout 100 --retries 0 --url \(server.url); echo $? >status",
      ], in: home, environment: ["TERM": "xterm", "HW_URL": nil], input: terminal.descriptor,
      output: terminal.descriptor, errors: terminal.descriptor)
    _ = try #require(terminal.see("q quits"))
    // The second request of the watch is under way.
    try waitUntil("the second request") {
      // A full terminal would hold the watch up.
      _ = terminal.text
      return server.requests.count == 2
    }
    terminal.type("q")
    let ending = started.end()
    let status = home.text("status")
    #expect(ending.signal == nil, "it did not end")
    #expect(status == "0\n")
    #expect(terminal.settings == before)
  }
}
