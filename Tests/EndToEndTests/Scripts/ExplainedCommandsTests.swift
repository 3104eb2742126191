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
      ("hw bikes rent 2", "hw bikes show 2 --json | jq .[].rented", "true\n"),
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
}
