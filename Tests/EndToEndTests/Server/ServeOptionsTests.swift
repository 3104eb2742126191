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

  // MARK: The command

  @Test func commandIsAdmin() throws {
    let ending = try shell("hw serve -- hw bikes delete 1 --yes")
    #expect(ending == Ending(status: 0, output: "bike 1 is deleted\n"))
  }
}

/// `hw check` with several services.
@Suite(.ownThread) struct ChecksOfSeveralServices {
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
}
