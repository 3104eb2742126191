import TestSupport
import Testing

/// `--explain`: lines of curl that do what the command would do.
@Suite(.ownThread) struct ExplainedCommands {
  private static let rows = "hw rows answer --tsv --no-header"

  /// The printed lines run in a server with sample data; what the second line prints of the
  /// result is compared with `output`.
  @Test(
    .needs(.bash, .curl),
    arguments: [
      ("hw nodes top --limit 1", "\(rows) --fields publicKey | head -n 1 | cut -c1-2", "03\n"),
      ("hw nba games --on 2026-11-21", "\(rows) --path data --fields date | head -n 1", "2026-11-21\n"),
      ("hw nba standings", "\(rows) --path data --fields id | awk 'END { print (NR > 29) }'", "1\n"),
      ("hw race duration", "\(rows) --fields timeInSeconds", "30\n"),
      ("hw bikes rent 2", "hw bikes show 2 --tsv --no-header --fields rented", "true\n"),
      (
        "hw wordle add --id 261 --date 2022-03-07 --word watch --tries stair,patch,watch",
        "hw wordle score 261 --json --fields tries", "{\"tries\":[\"stair\",\"patch\",\"watch\"]}\n"
      ),
      ("hw wordle delete 262 263", "hw wordle scores --tsv --fields id | grep -c '26[23]'", "0\n"),
      (
        "hw wordle delete 262 --token-file \"it's key\"",
        "hw wordle score 262 --token-file \"it's key\" || echo $?", "3\n"
      ),
    ])
  func printedCurlLinesRun(line: String, check: String, output: String) throws {
    let home = try Home()
    try home.write("abcdefgh\n", to: "it's key")
    try home.write(
      """
      set -e
      \(line) --explain >lines
      (echo 'curl() { command curl -fsS "$@"; }'; cat lines) >script
      bash -e script >answer
      \(check) || true
      """, to: "run")
    let ending = try shell("hw serve --demo --race-seconds 30 -- bash run", in: home)
    #expect(ending.output == output, "\(ending)\n\(home.text("lines"))")
  }
}
