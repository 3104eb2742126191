import Foundation
import Synchronization
import TestSupport
import Testing

/// What the options of `hw serve` decide, seen by its clients.
@Suite(.ownThread, .needs(.libsqlite3)) struct ServeOptions {
  // MARK: Sample data

  /// A store that is set is not the one of sample data, and one that is named contradicts it.
  @Test func demoIgnoresConfiguredStore() throws {
    let home = try Home()
    let made = try shell(
      """
      hw bikes add --url embedded:real --name Real --frame-color red --pin 1234 --at 50,8 -q
      HW_STORE=$PWD/real hw serve --demo -- hw bikes delete 0 1 2 --yes -q
      hw bikes list --url embedded:real --anywhere --fields name --tsv --no-header
      """, in: home)
    #expect(made.output.hasSuffix("Real\n"), "\(made)")
    let refused = try shell("hw serve --demo --store real -- true", in: home)
    #expect(
      refused.status == 2 && refused.errors.hasPrefix("hw: '--demo' and '--store' exclude each other\n"))
  }

  // MARK: What is kept

  @Test func commandServerStoresNothingWithoutStore() throws {
    let home = try Home()
    let add = "hw wordle add --id 7 --date 2021-06-26 --word sweet --tries sweet -q"
    #expect(try shell("hw serve -- \(add)", in: home).status == 0)
    #expect(!home.names(".local").contains("share"))
    #expect(try shell("hw serve --store data -- \(add)", in: home).status == 0)
    #expect(home.names("data").contains("wordle.db"))
  }
}

/// `hw check`: a smoke test for cron and CI.
@Suite(.ownThread) struct CheckCommand {
  /// The second service responds only when the results of the first one can be read.
  @Test func checkPrintsResultsAsTheyArrive() throws {
    let home = try Home()
    let output = home.file(".1")
    let isWritten = Mutex(false)
    let server = try LoopbackServer { _ in
      try? waitUntil("the first results", within: .seconds(20)) {
        try String(contentsOfFile: output, encoding: .utf8).contains("ok    nodes: ")
      }
      isWritten.withLock {
        $0 = (try? String(contentsOfFile: output, encoding: .utf8).contains("ok    nodes: ")) == true
      }
      return .response(status: 404)
    }
    let checking = try Started(
      ["hw", "check", "nodes", "wordle", "--retries", "0"], in: home,
      environment: ["HW_WORDLE_URL": server.url])
    #expect(checking.end().status == 1)
    #expect(isWritten.withLock { $0 })
  }

  @Test(
    .needs(.libsqlite3),
    arguments: [
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --no-wait --no-cache", 8),
      ("hw config set nba.rate 1; hw serve -- hw check nba --no-wait --no-cache", 8),
      ("hw serve -- hw check nba --rate 1 --no-wait --no-cache", 8),
      ("hw serve -- env HW_NBA_RATE=1 hw check nba --rate 1000 --no-wait --no-cache", 0),
      ("hw serve -- env HW_NBA_KEY=free hw check nba", 0),
      (
        "hw users add eve --store d >key; HW_BIKES_TOKEN=$(cat key) hw serve --samples --store d -- hw check bikes",
        0
      ),
      ("hw users add eve --store d; HW_BIKES_TOKEN=x hw serve --store d -- hw check bikes", 7),
      (
        "hw users add eve --store d; hw serve --store d -- env HW_TOKEN=x HW_NODES_URL=demo: hw check bikes nodes",
        7
      ),
    ])
  func checkSendsKeyAndToken(line: String, status: Int32) throws { #expect(try shell(line).status == status) }
}
