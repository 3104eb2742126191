import Foundation
import TestSupport
import Testing

/// The options that decide how a service is asked, each over a real socket.
@Suite(.ownThread) struct ServiceOptions {
  @Test func explainPrintsCurlAndSendsNothing() throws {
    let ending = try shell("hw nodes top --explain --url http://127.0.0.1:1")
    #expect(
      ending
        == Ending(
          status: 0,
          output: "curl http://127.0.0.1:1/api/v1/lightning/nodes/rankings/connectivity\n"))
  }

  @Test func explainNeverShowsASecret() throws {
    let ending = try shell("HW_WORDLE_TOKEN=hush hw wordle scores --explain --url https://example.com")
    #expect(
      ending.output
        == "curl -H @<(printf 'X-Authorization: %s' \"$HW_WORDLE_TOKEN\") https://example.com/scores\n")
  }

  @Test func aRecordingPlaysWithoutTheService() throws {
    let home = try Home()
    let recorded = try shell("hw serve -- hw wordle scores --json --record rec", in: home)
    #expect(recorded.status == 0)
    let played = try shell("hw wordle scores --json --replay rec --url http://127.0.0.1:1", in: home)
    #expect(played == recorded)
    let missing = try shell("hw nodes top --replay rec --url http://127.0.0.1:1", in: home)
    #expect(missing.status == 5)
    #expect(missing.errors.contains("is not in the recording 'rec'"))
  }

  @Test func verboseTellsEachRequestAndMasksSecrets() throws {
    let ending = try shell("HW_WORDLE_TOKEN=hush hw serve -- hw wordle scores -vv --tsv")
    #expect(ending.errors.contains("/scores → 200, "))
    #expect(ending.errors.contains("> X-Authorization: •••"))
    #expect(!ending.errors.contains("hush"))
  }

  @Test func retriesAreToldAndCounted() throws {
    let ending = try shell("hw serve --fault 503:1 -- hw wordle scores --retries 1")
    #expect(ending.errors.contains("(1 of 1)"))
    #expect(
      try shell("hw serve --fault 503:1 -- hw wordle scores --retries 0").errors.contains("next attempt")
        == false
    )
  }

  @Test func aDeadlineEndsEverything() throws {
    let ending = try shell("hw serve --fault delay:5s -- hw wordle scores --deadline 0.2")
    #expect(ending.status == 5)
    #expect(ending.errors.contains("deadline of 0.2 s reached"))
  }

  @Test func aTimeOutEndsAnAttempt() throws {
    let ending = try shell("hw serve --fault delay:5s -- hw wordle scores --timeout 0.1 --retries 0")
    #expect(ending.status == 5)
    #expect(ending.errors.contains("0.1 s"), "\(ending.errors)")
  }

  @Test func noWaitFailsAtOnceAndSaysHowLong() throws {
    let ending = try shell("hw serve --fault 429:1 -- hw wordle scores --no-wait --json")
    #expect(ending.status == 8)
    #expect(ending.errors.contains(#""kind":"rateLimited""#))
    #expect(ending.errors.contains(#""retryAfter":1"#), "\(ending.errors)")
  }

  @Test(
    arguments: [
      ("nowhere", "it has no scheme"), ("ftp://a", "unsupported scheme 'ftp'"),
      ("http://user:pass@host", "it holds a user name or password"), ("http://host:0", "is not a port"),
    ])
  func anAddressIsReadStrictly(_ url: String, _ message: String) throws {
    let ending = try shell("hw wordle scores --url '\(url)'")
    #expect(ending.status == 2)
    #expect(ending.errors.contains(message), "\(ending.errors)")
    #expect(!ending.errors.contains("pass@"))
  }

  @Test func aRefusedConnectionSaysWhatWasTried() throws {
    let ending = try shell("hw nodes top --url http://127.0.0.1:1 --retries 0 --json")
    #expect(ending.status == 5)
    #expect(ending.errors.contains("'127.0.0.1:1' refused the connection"))
    #expect(ending.errors.contains(#""retryable":true"#))
  }

  @Test func ctrlCInTheMiddleOfAnAnswerEndsByTheSignal() throws {
    let home = try Home()
    let server = try Serving.Server(["--fault", "delay:60s"])
    let asking = try Started(["hw", "wordle", "scores", "--url", server.url], in: home)
    try asking.settle()
    kill(asking.id, SIGINT)
    #expect(asking.end().signal == SIGINT)
  }

  /// Needs a file system of its own, which only root can have: skipped elsewhere.
  @Test(.enabled(if: geteuid() == 0), .needs(.mount))
  func aFullDiskWhileCachingLosesNoAnswer() throws {
    let home = try Home()
    let line = """
      mkdir full && mount -t tmpfs -o size=16k none full 2>/dev/null || exit 99
      head -c 16384 /dev/zero >full/ballast 2>/dev/null
      XDG_CACHE_HOME=$PWD/full hw serve -- hw nodes top -n 1 --tsv --no-header; status=$?
      umount full; exit $status
      """
    let ending = try shell(line, in: home)
    if ending.status == 99 { return }
    #expect(ending.status == 0)
    #expect(!ending.output.isEmpty)
  }
}
