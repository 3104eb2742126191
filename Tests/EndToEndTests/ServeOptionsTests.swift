import Foundation
import Synchronization
import TestSupport
import Testing

/// What the options of `hw serve` decide, seen by its clients.
@Suite(.ownThread) struct ServeOptions {
  // MARK: Sample data

  /// A store that is set is not the one of sample data, and one that is named contradicts it.
  @Test func sampleDataIsOfNoStore() throws {
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

  // MARK: Names and pages

  /// Its own name, that of the public address and those of this machine, in any case and with any port.
  @Test func aServerWithANameRefusesOthers() throws {
    let server = try Serving.Server([
      "wordle", "--public", "wordle", "--host", "Other.example", "--public-url",
      "https://Bikes.example:8443/x",
    ])
    for (name, status) in [
      ("other.example", 200), ("OTHER.example:81", 200), ("bikes.example", 200), ("bikes.example:8443", 200),
      ("localhost", 200), ("evil.example", 403), ("x.other.example", 403),
    ] {
      let client = try #require(RawConnection(server.url))
      client.send(Array("GET /scores HTTP/1.1\r\nHost: \(name)\r\n\r\n".utf8))
      #expect(client.answer()?.status == status, "\(name)")
    }
  }

  @Test func connectionsAreLimitedOnRequest() throws {
    let server = try Serving.Server(environment: ["HW_SERVE_CONNECTIONS_PER_ADDRESS": "1"])
    let client = try #require(RawConnection(server.url))
    #expect(client.ask("GET", "/healthz")?.status == 200)
    let second = try #require(RawConnection(server.url)?.ask("GET", "/healthz"))
    #expect(second.status == 429 && second.head.contains("\r\nConnection: close"))
    #expect(client.ask("GET", "/healthz")?.status == 200)
  }

  @Test(arguments: [["--demo"], ["--store", "data"]])
  func theFeedHasThePublicAddress(words: [String]) throws {
    let server = try Serving.Server(
      ["bikes", "--public", "bikes", "--public-url", "https://bikes.example/town/"] + words)
    let feed = try #require(RawConnection(server.url)?.ask("GET", "/gbfs/gbfs.json"))
    #expect(feed.body.contains(#""url":"https://bikes.example/town/gbfs/3.0/gbfs.json""#), "\(feed.body)")
  }

  // MARK: What is kept

  private static let score = #"{"id":300,"date":"2022-04-15","word":"nymph","tries":["nymph"]}"#

  @Test func aDemoKeepsNothing() throws {
    let home = try Home()
    let server = try Serving.Server(["--demo"], in: home)
    #expect(RawConnection(server.url)?.ask("DELETE", "/scores")?.status == 200)
    #expect(server.stop().status == 0)
    #expect(!home.names.contains(".local"))
  }

  @Test func aServerForACommandKeepsNothingUnlessAStoreIsNamed() throws {
    let home = try Home()
    let add = "hw wordle add --id 7 --date 2021-06-26 --word sweet --tries sweet -q"
    #expect(try shell("hw serve -- \(add)", in: home).status == 0)
    #expect(!home.names(".local").contains("share"))
    #expect(try shell("hw serve --store data -- \(add)", in: home).status == 0)
    #expect(home.names("data").contains("wordle.db"))
  }

  @Test func aNewStoreHasNoBikes() throws {
    let home = try Home()
    for (words, output) in [
      ("--store data", ""), ("--store data --samples", "0\n1\n2\n"), ("--store data", "0\n1\n2\n"),
    ] {
      let line = "hw serve \(words) -- hw bikes list --anywhere --fields id --tsv --no-header"
      let ending = try shell(line, in: home)
      #expect(ending == Ending(status: 0, output: output), "\(words): \(ending)")
    }
  }

  // MARK: The command

  /// The port is free, whatever is set for the server of every day.
  @Test func aCommandHasAServerOfItsOwn() throws {
    let ending = try shell("hw serve -- sh -c 'echo $HW_URL'", environment: ["HW_SERVE_LISTEN": "unix:s"])
    #expect(ending.status == 0 && ending.output.hasPrefix("http://127.0.0.1:"), "\(ending)")
  }

  @Test func aCommandIsAnAdmin() throws {
    let ending = try shell("hw serve -- hw bikes delete 1 --yes")
    #expect(ending == Ending(status: 0, output: "bike 1 is deleted\n"))
  }

  @Test(arguments: [
    ("no-such-program", 127, "no such file or directory"), ("/etc/passwd", 126, "permission denied"),
  ])
  func aCommandThatCannotBeRun(program: String, status: Int32, reason: String) throws {
    let ending = try shell("hw serve -- \(program)")
    #expect(ending == Ending(status: status, errors: "hw: cannot run '\(program)': \(reason)\n"))
  }
}

/// `hw check` with several services.
@Suite(.ownThread) struct ChecksOfSeveralServices {
  /// The second service responds only when the results of the first one can be read.
  @Test func theFirstResultsAreWrittenBeforeTheLast() throws {
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
