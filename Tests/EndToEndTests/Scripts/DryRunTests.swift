import Foundation
import TestSupport
import Testing

@testable import Command
@testable import hw

/// `--dry-run` changes nothing: every file of a home and everything a service has, before and after. The same line
/// without the option has to change something, so that no row can pass for another reason.
@Suite(.ownThread, .needs(.libsqlite3)) struct DryRuns {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The command as the table names it.
    let command: String
    /// Run first, with the same variables.
    var before = ""
    /// Has `--dry-run` in it.
    let line: String

    var testDescription: String { line }
  }

  private static let bike = "printf 'name,color,pin,latitude,longitude\\nWanda,red,0420,50.12,8.64\\n'"
  private static let score = "--word watch --tries stair,patch,watch"
  private static let shared = "printf 'Wordle 281 2/6\\n\\n⬛⬛⬛⬛⬛\\n🟩🟩🟩🟩🟩\\n'"
  private static let kept = """
    d=.local/state/hw/nodes; mkdir -p $d
    for s in 01 02 03; do
      touch $d/connectivity-2026-01-01T0000${s}Z-mainnet-demo%3A.json
      touch $d/age-2026-01-01T0000${s}Z-mainnet-demo%3A.json
    done
    """

  private static let race = "hw serve --race-seconds 1 -- hw race watch -q"
  private static let rows = [
    Row(command: "users delete", before: "hw users add ann", line: "hw users delete ann --yes --dry-run"),
    Row(command: "race delete", before: race, line: "hw race delete latest --yes --dry-run"),
    Row(command: "race delete", before: race, line: "hw race delete --keep 0 --dry-run"),
    Row(command: "bikes delete", line: "hw bikes delete 1 --yes --dry-run"),
    Row(command: "bikes delete", line: "hw bikes delete --dry-run 0"),
    Row(command: "bikes edit", line: "hw bikes edit 1 --name Johann --at 50,8 --dry-run"),
    Row(command: "bikes import", line: "\(bike) | hw bikes import - --dry-run"),
    Row(command: "wordle add", line: "hw wordle add --id 1 \(score) --dry-run"),
    Row(command: "wordle add", line: "hw wordle add --id 262 \(score) --replace --dry-run"),
    Row(
      command: "wordle add",
      line:
        #"echo '{"id":9,"date":"2021-06-28","word":"watch","tries":["watch"]}' | hw wordle add - --dry-run"#),
    Row(command: "wordle delete", line: "hw wordle delete 262 263 --yes --dry-run"),
    Row(
      command: "wordle reset", before: "hw wordle add --id 1 \(score)",
      line: "hw wordle reset --yes --dry-run"),
    Row(
      command: "wordle reset", before: "hw wordle delete 262 --yes", line: "hw wordle reset --dry-run --yes"),
    Row(command: "wordle import", line: "\(shared) | hw wordle import --player Eve --dry-run"),
    Row(
      command: "wordle import", before: "\(shared) | hw wordle import --player Ann",
      line: "\(shared) | sed 's|281|282|' | hw wordle import --player Ann --dry-run"),
    Row(
      command: "wordle rename", before: "\(shared) | hw wordle import --player Ann",
      line: "hw wordle rename Ann Anna --dry-run"),
    Row(
      command: "wordle delete", before: "\(shared) | hw wordle import --player Ann",
      line: "hw wordle delete --player Ann --yes --dry-run"),
    Row(command: "nodes snapshot", line: "hw nodes snapshot --dry-run"),
    Row(command: "nodes snapshot", before: kept, line: "hw nodes snapshot --keep 1 --yes --dry-run"),
    Row(
      command: "cache clear", before: "mkdir -p kept/hw && touch kept/hw/$(printf '%016d-%064d' 0 0)",
      line: "XDG_CACHE_HOME=$PWD/kept hw cache clear --yes --dry-run"),
    Row(
      command: "config unset", before: "hw config set nodes.lang de",
      line: "hw config unset nodes.lang --yes --dry-run"),
    Row(
      command: "config unset", before: "echo hush-hush | hw config set wordle.token -",
      line: "hw config unset wordle.token --yes --dry-run"),
    Row(command: "store migrate", before: "", line: "hw store migrate --store data --dry-run"),
  ]

  /// A command that gets the option has to get a row.
  @Test func everyDryRunOptionHasRow() {
    let declared = Program.hw.allCommands.filter { entry in
      entry.command.options.contains { $0.declaration.name == "dry-run" }
    }
    #expect(!declared.isEmpty)
    // An entry to prune is older than a day: it needs the clock of 'ToolTests'.
    #expect(Set(DryRuns.rows.map(\.command) + ["store prune"]) == Set(declared.map(\.name)))
    for row in DryRuns.rows { #expect(row.line.contains(" --dry-run")) }
  }

  @Test(arguments: rows)
  func dryRunChangesNothing(_ row: Row) throws {
    // A bike is deleted by its owner or an admin only.
    let served = try Home()
    let user = "echo \(State.token) | hw users add ann --admin --token-file - --store data"
    try #require(try shell(user, in: served).status == 0)
    let server = try Serving.Server(["--samples", "--store", "data"], in: served)
    let home = try Home()
    // What the test itself writes of the run is beside the home, not in it.
    func run(_ line: String) throws -> (status: Int32, text: String) {
      let ending = try shell(
        "mkdir -p home && cd home && HOME=$PWD && \(line)", in: home,
        environment: ["HW_URL": server.url, "HW_TOKEN": State.token, "HW_CONFIG": nil])
      return (ending.status, ending.output + ending.errors)
    }
    #expect(try run("true").status == 0)
    if row.command == "store migrate" {
      try Program.hw.makeEarlierDatabase("bikes", version: 8, in: home.file("home/data"))
    }
    if !row.before.isEmpty {
      let before = try run(row.before)
      try #require(before.status == 0, "\(before.text)")
    }
    let state = try State(home: "\(home.path)/home", server: server.url)
    let dry = try run(row.line)
    #expect(dry.status == 0, "\(dry.text)")
    #expect(!dry.text.contains("hush"), "a secret is shown")
    #expect(try State(home: "\(home.path)/home", server: server.url).differences(from: state) == [])
    let wet = try run(row.line.replacing(" --dry-run", with: ""))
    #expect(wet.status == 0, "\(wet.text)")
    #expect(try State(home: "\(home.path)/home", server: server.url).differences(from: state) != [])
  }

  /// All that a dry run could change.
  struct State {
    static let token = "0123456789abcdef"
    private var parts: [String: String] = [:]

    init(home: String, server: String) throws {
      let walk = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String } ?? []
      // Cached responses and counted requests are no one's data: a dry run asks too.
      for path in walk where !path.hasPrefix(".cache") && !path.contains("hw/rate-limits") {
        var status = stat()
        try #require(lstat("\(home)/\(path)", &status) == 0)
        // A database makes and removes files of its own while it is read, which is nothing but its folder's time.
        guard status.st_mode & S_IFMT != S_IFDIR else {
          parts[path] = "\(status.st_mode) \(status.st_ino)"
          continue
        }
        let contents = FileManager.default.contents(atPath: "\(home)/\(path)") ?? Data()
        parts[path] = """
          \(status.st_mode) \(status.st_ino) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \
          \(contents.base64EncodedString())
          """
      }
      for path in ["/bikes", "/scores"] {
        let connection = try #require(RawConnection(server))
        let response = try #require(connection.ask("GET", path, headers: ["X-Authorization: \(Self.token)"]))
        #expect(response.status == 200)
        parts[path] = response.body
      }
    }

    func differences(from other: State) -> [String] {
      Set(parts.keys).union(other.parts.keys).filter { parts[$0] != other.parts[$0] }.sorted()
    }
  }
}
