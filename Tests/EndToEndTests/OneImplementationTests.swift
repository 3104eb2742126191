import Foundation
import JSON
import TestSupport
import Testing

@testable import Command
@testable import hw

/// What two implementations of one concept did differently.
@Suite(.ownThread) struct OneImplementation {
  // MARK: One clock

  @Test func oneClockForWhatHappened() throws {
    let home = try Home()
    let zone = ["TZ": "JST-9"]
    let made = try shell(
      "hw serve --race-seconds 1 -- hw race watch -q >/dev/null", in: home, environment: zone)
    #expect(made.status == 0, "\(made.errors)")
    func hour(_ text: String) throws -> Int {
      let match = try #require(text.firstMatch(of: /\d{4}-\d\d-\d\d[T ](\d\d):\d\d/), "\(text)")
      return try #require(Int(match.output.1))
    }
    let race = try shell("hw race history --no-header -o table", in: home, environment: zone)
    let rented = try shell(
      "hw serve -- sh -c 'hw bikes rent 2 -q >/dev/null && hw bikes rented -o table --no-header && hw bikes history -o table --no-header'",
      in: home, environment: zone)
    #expect(rented.status == 0, "\(rented.errors)")
    let local = try hour(shell("date '+%Y-%m-%d %H:%M'", environment: zone).output)
    // An hour may end meanwhile.
    let near = [local, (local + 23) % 24]
    #expect(near.contains(try hour(race.output)), "\(race.output)")
    // The rental in 'rented', and as the newest of 'history'.
    let lines = rented.output.split(separator: "\n").map(String.init).filter { $0.contains(":") }.prefix(2)
    #expect(lines.count == 2, "\(rented.output)")
    for line in lines { #expect(near.contains(try hour(line)), "\(rented.output)") }
  }

  // MARK: One way to open a browser

  @Test(
    arguments: [
      "hw serve -- hw race captcha --captcha open", "hw bikes map --demo --near 50.1195,8.6382 --open",
    ])
  func aBrowserMayHaveOptions(_ line: String) throws {
    let home = try Home()
    try home.install("mybrowser", "#!/bin/sh\nprintf '%s\\n' \"$@\" >opened.new; mv opened.new opened\n")
    let ending = try shell(
      line, in: home, environment: ["BROWSER": "\(home.path)/.bin/mybrowser --new-window"])
    try #require(ending.status == 0, "\(ending.errors)")
    let opened = try home.wait(for: "opened").split(separator: "\n")
    #expect(opened.count == 2)
    #expect(opened.first == "--new-window")
    #expect(opened.last?.hasPrefix("http") == true)
  }

  // MARK: One reader of lines

  @Test(arguments: ["de\\n", "de", "de\\r\\n", "\\357\\273\\277de\\r\\n"])
  func aSettingFromALine(_ bytes: String) throws {
    let ending = try shell("printf '\(bytes)' | hw config set nodes.lang - && hw config get nodes.lang")
    #expect(ending == Ending(status: 0, output: "de\n"))
  }

  /// A secret with a carriage return would be sent as it is.
  @Test func aSecretFromALine() throws {
    let server = try LoopbackServer { _ in .response(body: #"{"scores":[]}"#) }
    let ending = try shell(
      "printf 'hush\\r\\n' | hw config set wordle.token - && hw wordle scores --url \(server.url)")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(server.requests.first?.field("X-Authorization") == "hush")
  }

  // MARK: One watched table

  /// The response never comes: a key has to be enough.
  @Test(
    .needs(.setsid),
    arguments: ["nodes top --watch 10", "bikes list --watch 2 --anywhere"])
  func aWatchIsLeftWhileARequestHangs(_ words: String) throws {
    let home = try Home()
    let body = try KnownAttacks.node("alias")
    let server = try LoopbackServer { request in
      request.number > 1
        ? .silence : .response(body: request.target.contains("/bikes") ? "[]" : body)
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

  // MARK: One range of --limit

  /// In the order of the commands. What is not in rows has a form of its own, and `nodes diff` says that there is a
  /// difference.
  private static let limited = [
    "race status", "race history", "race stats", "nba teams", "nba games LAL", "nba players", "nba standings",
    "bikes list --anywhere", "bikes rented", "bikes history", "wordle scores", "wordle compare --json",
    "wordle ranking",
    "nodes top", "nodes search a", "nodes diff a.json b.json", "nodes snapshots", "config list",
    "rows rows.json", "store verify --store data", "users list --store data",
  ]

  @Test func everyCommandWithALimitIsTried() {
    let names = Program.hw.allCommands.filter { entry in
      entry.command.options.contains { $0.declaration.name == "limit" }
    }.map(\.name)
    for name in names { #expect(Self.limited.contains { $0.hasPrefix(name) }, "\(name)") }
  }

  /// Makes rows for the lists of each suite that have none of their own.
  private static let rows: [Substring: String] = [
    "race": "hw serve --race-seconds 1 -- hw race watch -q",
    "nba": "true", "bikes": "true",
    "wordle": "hw wordle share 281 | hw wordle import --player Eve",
    "nodes": "cp \"$(hw nodes snapshot)\" a.json && cp \"$(HW_SEED=2 hw nodes snapshot)\" b.json",
    "config": "hw config set nodes.lang de", "store": "hw serve --samples --store data -- true",
    "users": "hw users add ann --store data && hw users add ben --store data",
    "rows": "echo '[{\"n\":1},{\"n\":2}]' >rows.json",
  ]

  @Test(arguments: limited)
  func aLimitMayBeZero(_ words: String) throws {
    let home = try Home()
    let prepared = try shell(try #require(Self.rows[words.split(separator: " ")[0]]), in: home)
    try #require(prepared.status == 0, "\(prepared.errors)")
    let isJSON = words.contains("--json")
    let ending = try shell("hw \(words) --limit 0\(isJSON ? "" : " --tsv --no-header")", in: home)
    #expect(ending.status == (words.hasPrefix("nodes diff") ? 1 : 0), "\(ending.errors)")
    #expect(ending.errors == "")
    #expect(isJSON ? try ending.json()["games"].array.isEmpty : ending.output.isEmpty)
  }

  /// The status of 'diff' says whether there is a difference: an empty list is no failure there.
  @Test func aCommandWithAStatusOfItsOwnHasNoExitStatus() throws {
    let home = try Home()
    let made = try shell("cp \"$(hw nodes snapshot --demo)\" a.json", in: home)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try shell("hw nodes diff a.json a.json", in: home).status == 0)
    let refused = try shell("hw nodes diff a.json a.json --exit-status", in: home)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("--exit-status"))
  }
}
