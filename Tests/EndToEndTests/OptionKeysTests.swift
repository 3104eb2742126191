import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// `call[option]` takes any option for its key, also one that the command does not declare, and then returns the default.
/// A debug build asserts that it is declared: here each command is run with each of its options, so that every path that
/// an option opens is taken once. `Examples` runs what help shows, which is few of them.
@Suite(.ownThread) struct OptionKeys {
  /// A call of each command that succeeds; options are added to it. Scratch files are made by `prepare`.
  private static let calls: [String: String] = [
    "race duration": "hw race duration", "race status": "hw race status",
    "race watch": "hw race watch --start", "race captcha": "hw race captcha --captcha wait",
    "race history": "hw race history", "race show": "hw race show race.jsonl --play --speed 100",
    "race stats": "hw race stats", "race delete": "hw race delete latest --yes", "nba teams": "hw nba teams",
    "nba team": "hw nba team LAL",
    "nba games": "hw nba games LAL", "nba players": "hw nba players james", "nba player": "hw nba player 1",
    "nba standings": "hw nba standings", "nba record": "hw nba record LAL",
    "bikes list": "hw bikes list --anywhere", "bikes map": "hw bikes map --near 50.1195,8.6382",
    "bikes show": "hw bikes show 2",
    "bikes add": "hw bikes add --name Wanda --pin 0420 --at 50.12,8.64",
    "bikes rent": "hw bikes rent 2", "bikes return": "hw bikes rent 2 -q >/dev/null; hw bikes return 2",
    "bikes edit": "hw bikes edit 1 --name Wanda",
    "bikes rented": "hw bikes rented", "bikes import": "hw bikes import bikes.csv",
    "bikes export": "hw bikes export",
    "bikes history": "hw bikes history",
    "bikes delete": "hw bikes delete 1 --yes", "users add": "hw users add Ann",
    "users delete": "hw users delete Ann", "users rotate": "hw users rotate Ann",
    "users list": "hw users list",
    "wordle tiles": "hw wordle tiles ponds nymph", "wordle scores": "hw wordle scores",
    "wordle score": "hw wordle score 262", "wordle stats": "hw wordle stats",
    "wordle share": "hw wordle share 262", "wordle import": "hw wordle import shared.txt",
    "wordle compare": "hw wordle compare", "wordle ranking": "hw wordle ranking",
    "wordle delete": "hw wordle delete 262 --yes",
    "wordle add": "hw wordle add --id 1 --date 2021-06-20 --word watch --tries watch",
    "wordle reset": "hw wordle reset --yes", "nodes top": "hw nodes top",
    "nodes show": "hw nodes show lunar.dock.com", "nodes diff": "hw nodes diff a.json b.json",
    "nodes search": "hw nodes search lunar", "nodes stats": "hw nodes stats",
    "cache clear": "hw cache clear --yes",
    "nodes snapshot": "hw nodes snapshot", "nodes snapshots": "hw nodes snapshots",
    "config list": "hw config list", "config get": "hw config get nodes.lang",
    "config set": "hw config set nodes.lang de", "config unset": "hw config unset nodes.lang --yes",
    "check": "hw check nodes", "rows": "hw rows rows.json",
    "schema": "hw schema nodes top", "help": "hw help nodes top", "completions": "hw completions bash",
    "version": "hw version",
    "serve": "hw serve --listen 127.0.0.1:0", "store verify": "hw store verify --store data",
    "store copy": "hw store copy --from data --to backup", "store migrate": "hw store migrate --store data",
  ]

  /// What the calls of a suite need.
  private static func prepare(_ name: String) -> String {
    let suites = [
      "race": "hw serve --race-seconds 1 -- hw race watch -q --save race.jsonl",
      "nodes":
        "cp \"$(hw nodes snapshot)\" a.json; cp \"$(HW_SEED=2 hw nodes snapshot)\" b.json",
      "wordle":
        "hw wordle share 281 >shared.txt; hw wordle import --player Ann shared.txt",
      "bikes": "printf 'name,color,pin,latitude,longitude\\nWanda,red,0420,50.12,8.64\\n' >bikes.csv",
      "config": "hw config set nodes.lang fr", "store": "hw serve --samples --store data -- true",
      "users": "hw users add Ben",
    ]
    let files =
      "echo '[{\"n\":1,\"m\":\"x\"},{\"n\":2}]' >rows.json; echo 0123456789abcdef >secret; chmod 600 secret"
    return "\(files); \(suites[String(name.prefix { $0 != " " })] ?? "true")"
  }

  /// Values for options, where their declaration does not list any. What is refused is a result too: the option was read
  /// before.
  private static let values: [String: String] = [
    "token-file": "secret", "key-file": "secret", "file": "out.json", "save": "out.jsonl",
    "gbfs": "feed", "ready-file": "ready", "store": "store", "from": "data", "to": "backup",
    "near": "50.1195,8.6382",
    "radius": "2000", "season": "2024", "since": "2022-01-01",
    "until": "2025-12-31", "limit": "2", "keep": "1", "sort": "name", "fields": "all", "country": "DE",
    "me": "Ann", "service": "127.0.0.1", "player": "Ann", "interval": "2",
    "browser": "false", "vs": "BOS", "fault": "delay:1ms", "listen": "127.0.0.1:0",
    "metrics-listen": "127.0.0.1:0",
    "speed": "100", "date": "2021-06-21", "word": "patch", "tries": "patch", "pin": "0421", "name": "Hans",
    "rate": "60", "on": "2025-01-15", "conference": "West",
  ]

  @Test func everyCommandHasACall() {
    #expect(Set(Self.calls.keys) == Set(Program.hw.allCommands.map(\.name)))
  }

  /// A failed assertion is a signal, and what hw calls a defect is status 70.
  @Test(arguments: Program.hw.allCommands.map(\.name))
  func everyOptionIsRead(_ name: String) throws {
    let command = try Program.hw.command(name.split(separator: " ").map(String.init))
    let call = try #require(Self.calls[name])
    let home = try Home()
    let variables: [String: String?] = ["SWIFT_BACKTRACE": "enable=no", "BROWSER": "true"]
    let prepared = try shell(Self.prepare(name), in: home, environment: variables)
    try #require(prepared.status == 0, "\(prepared.errors)")
    var additions = ["", "--json", "-o table", "--explain", "-v"]
    // A watch has no end of its own: `NodesOnATerminal` and `BikesScreen` leave theirs by a key.
    for option in command.options.map(\.declaration) where option.name != "watch" {
      if let value = option.value {
        let choices = value.choices.map(\.name)
        for text in choices.isEmpty ? [Self.values[option.name] ?? "1"] : choices {
          additions.append("--\(option.name) '\(text)'")
        }
      } else {
        additions.append("--\(option.name)")
      }
    }
    let runs = additions.map { addition in
      (addition, line: "\(call) \(addition)\(name == "serve" ? " -- true" : "")")
    }
    let isWithServer = ["race watch", "bikes return", "bikes rent"].contains(name)
    // Several at a time: a race lasts a second, and most of it is waiting.
    for first in stride(from: 0, to: runs.count, by: 6) {
      let started = try runs[first..<min(first + 6, runs.count)].map { addition, line in
        // Each in a copy of the home: some lose what the next one needs.
        let copy = try Home()
        let inCopy = "cp -r '\(home.path)/.' . && \(line)"
        let words =
          isWithServer
          ? ["hw", "serve", "--race-seconds", "1", "--", "sh", "-c", inCopy] : ["sh", "-c", inCopy]
        return (addition, try Started(words, in: copy, environment: variables))
      }
      for (addition, run) in started {
        let ending = run.end()
        #expect(
          ending.signal == nil && ending.status != 70 && ending.status < 126,
          "\(call) \(addition): \(ending.status) \(ending.errors.suffix(600))")
      }
    }
  }
}
