import Foundation
import TestSupport
import Testing

/// `--explain`: lines of curl that do what the command would do.
@Suite(.ownThread) struct ExplainedCommands {
  /// The printed lines run in a server with sample data; what the second line prints of the
  /// result is compared with `output`.
  @Test(
    .needs(.bash, .curl, .jq),
    arguments: [
      ("hw nodes top --limit 1", "jq -r '.[0].publicKey' answer | cut -c1-2", "03\n"),
      ("hw nodes stats", "jq -r '.latest.channel_count > 0' answer", "true\n"),
      ("hw nba games --on 2026-11-21", "jq -r '.data[0].date' answer | cut -c1-10", "2026-11-21\n"),
      ("hw nba standings", "jq -s -r '.[0].data | length > 29' answer", "true\n"),
      ("hw race duration", "jq '.timeInSeconds' answer", "30\n"),
      ("hw bikes rent 2", "hw bikes show 2 --json | jq .rented", "true\n"),
      (
        "hw wordle add --id 261 --date 2022-03-07 --word watch --tries stair,patch,watch",
        "hw wordle score 261 --json | jq -c .tries", "[\"stair\",\"patch\",\"watch\"]\n"
      ),
      ("hw wordle delete 262 263", "hw wordle scores --jsonl | jq -r .id | grep -c '26[23]'", "0\n"),
      (
        "hw wordle delete 262 --token-file \"it's key\"",
        "hw wordle score 262 --token-file \"it's key\" || echo $?", "3\n"
      ),
    ])
  func runnable(line: String, check: String, output: String) throws {
    let home = try Home()
    try "abcdefgh\n".write(toFile: "\(home.path)/it's key", atomically: true, encoding: .utf8)
    try """
    set -e
    \(line) --explain >lines
    (echo 'curl() { command curl -fsS "$@"; }'; cat lines) >script
    bash -e script >answer
    \(check) || true
    """.write(toFile: "\(home.path)/run", atomically: true, encoding: .utf8)
    let ending = try shell("hw serve --demo --race-seconds 30 -- bash run", in: home)
    #expect(ending.output == output, "\(ending)\n\(home.text("lines"))")
  }

  @Test(
    "All requests that are known in advance, and a comment for the others",
    arguments: [
      (
        "nodes show 03ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff ACINQ Kraken",
        [
          "curl URL/api/v1/lightning/nodes/03ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
          "curl 'URL/api/v1/lightning/search?searchText=ACINQ'",
          "# then, with the response: GET /api/v1/lightning/nodes/KEY of the node",
          "curl 'URL/api/v1/lightning/search?searchText=Kraken'",
          "# then, with the response: GET /api/v1/lightning/nodes/KEY of the node",
        ]
      ),
      ("nodes show ACINQ Kraken --json", nil),
      ("nodes top --watch 10", ["curl URL/api/v1/lightning/nodes/rankings/connectivity"]),
      (
        "nba games LAL",
        ["curl URL/teams", "# then, with the response: GET /games with team_ids[]=ID of each team"]
      ),
      (
        "nba standings --season 2020",
        [
          "curl URL/teams",
          "curl 'URL/games?seasons%5B%5D=2020&postseason=false&per_page=100'",
          "# then, with the response: the same with cursor=N, while 'meta.next_cursor' is a number N",
        ]
      ),
      ("wordle reset --yes", ["curl -X DELETE URL/scores", "curl URL/scores"]),
      (
        "wordle delete 262 263",
        ["curl URL/scores", "curl -X DELETE URL/scores/262", "curl -X DELETE URL/scores/263"]
      ),
    ] as [(String, [String]?)])
  func complete(line: String, lines: [String]?) throws {
    let ending = try shell("hw \(line) --explain --url http://127.0.0.1:1")
    #expect(ending.status == 0 && ending.errors == "")
    let printed = ending.output.split(separator: "\n").map {
      $0.replacingOccurrences(of: "http://127.0.0.1:1", with: "URL")
    }
    guard let lines else {
      #expect(printed.allSatisfy { $0.hasPrefix("curl ") || $0.hasPrefix("# ") }, "\(printed)")
      return
    }
    #expect(printed == lines)
  }

  @Test(
    "A secret is read from where it was given",
    arguments: [
      ("HW_TOKEN=s3cret hw nodes top", "\"$HW_TOKEN\""),
      ("HW_NODES_TOKEN=s3cret hw nodes top", "\"$HW_NODES_TOKEN\""),
      ("HW_TOKEN=s3cret hw wordle scores", "\"$HW_TOKEN\""),
      ("HW_WORDLE_TOKEN=s3cret HW_TOKEN=other hw wordle scores", "\"$HW_WORDLE_TOKEN\""),
      ("hw wordle scores --token-file key", "\"$(cat key)\""),
      ("hw nba teams --key-file - <key", "\"$(cat)\""),
      ("hw config set nba.key - <key && hw nba teams", "\"$(hw config get nba.key)\""),
    ])
  func secrets(line: String, source: String) throws {
    let home = try Home()
    try "s3cret\n".write(toFile: "\(home.path)/key", atomically: true, encoding: .utf8)
    let text = try shell("export HW_URL=http://127.0.0.1:1; \(line) --explain", in: home).output
    #expect(text.contains("Authorization: %s' \(source))"), "\(text)")
    #expect(!text.contains("s3cret"))
  }
}
