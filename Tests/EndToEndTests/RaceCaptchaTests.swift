import Foundation
import TestSupport
import Testing

/// The whole flow with a real browser, against the backend's own page.
@Suite(.ownThread, .needs(.chromium), .serialized) struct RaceInABrowser {
  private let home: Home

  /// Tests may run as root, where Chromium wants to be told so; hw never tells it.
  init() throws {
    home = try Home()
    try home.install(
      "browser", "#!/bin/sh\necho $$ > browser.id\nexec chromium --headless=new --no-sandbox \"$@\"\n")
  }

  private func run(_ serve: String, _ line: String) throws -> Ending {
    try shell("hw serve \(serve) -- sh -c '\(line)'", in: home, environment: ["TMPDIR": home.path])
  }

  private var leavesNoProfile: Bool { !home.names.contains { $0.hasPrefix("hw-captcha") } }

  @Test func passes() throws {
    let ending = try run("", "hw race captcha --captcha browser --browser ./.bin/browser --json")
    #expect(ending.status == 0, "\(ending.errors)")
    #expect(ending.output.hasPrefix(#"{"state":"passed","captchaUrl":"http://127.0.0.1:"#))
    #expect(leavesNoProfile)
  }

  @Test func failsThenPassesInTheRace() throws {
    let ending = try run(
      "--race-seconds 20 --captcha-after 2 --captcha-fails 2",
      "hw race watch --captcha browser --browser ./.bin/browser --jsonl -v")
    #expect(ending.status == 0, "\(ending.errors)")
    let kinds = ["\"captcha\"", "\"resumed\"", "\"finish\""].map { kind in
      ending.output.split(separator: "\n").count { $0.contains("{\"event\":\(kind)") }
    }
    #expect(kinds == [1, 1, 1])
    #expect(ending.errors.split(separator: "\n").count { $0.contains("that attempt failed") } == 2)
    #expect(leavesNoProfile)
  }

  @Test func aWindowThatIsClosedEndsIt() throws {
    // Nothing tells when the browser shows the page: its folder is there a moment before.
    let line = """
      (until [ -d hw-captcha-*/Default ]; do sleep 0.1; done; sleep 1; kill $(cat browser.id)) & \
      hw race captcha --captcha browser --browser ./.bin/browser
      """
    let ending = try run("--captcha-fails 1000000", line)
    #expect(ending.status == 9, "\(ending.errors)")
    #expect(ending.errors.contains("the window was closed"))
    #expect(leavesNoProfile)
  }

  @Test func aSignalTakesTheBrowserAlong() throws {
    let started = try Started(
      [
        "hw", "serve", "--captcha-fails", "1000000", "--", "sh", "-c",
        "echo $$ > id; exec hw race captcha --captcha browser --browser ./.bin/browser",
      ], in: home, environment: ["TMPDIR": home.path])
    try waitUntil("the browser's window") { !leavesNoProfile && !home.text("browser.id").isEmpty }
    kill(try #require(pid_t(home.text("id").dropLast())), SIGINT)
    #expect(started.end().status == 130)
    #expect(leavesNoProfile)
    #expect(kill(try #require(pid_t(home.text("browser.id").dropLast())), 0) == -1)
  }
}

@Suite(.ownThread) struct RaceWithoutABrowser {
  @Test(
    "It is waited for instead, and that is said",
    arguments: [
      ("nowhere", "there is no browser"), ("false", "exited before it opened a page"),
    ])
  func missing(browser: String, words: String) throws {
    let server = try Serving.Server(["--race-seconds", "3", "--captcha-after", "1"])
    let ending = try endingOfWatch(
      "--captcha browser --browser \(browser)", at: server, environment: ["BROWSER": nil]
    ) { try $0.wait(for: ".2") { $0.contains(words) && $0.contains("requires a CAPTCHA") } }
    #expect(ending.status == 0)
    #expect(ending.output.contains("winner: Bee"))
    #expect(ending.errors.contains(words))
    #expect(ending.errors.contains("the CAPTCHA is solved"))
  }

  @Test(
    "The deadline ends the wait for a browser",
    arguments: [
      "race captcha --captcha browser", "race watch --captcha browser", "race watch --captcha wait",
    ])
  func deadline(words: String) throws {
    let home = try Home()
    // No wait: a program without an end.
    try home.install("browser", "#!/bin/sh\necho $$ > browser.id\nexec sleep 600\n")
    let ending = try shell(
      "hw serve --race-seconds 600 --captcha-after 1 -- hw \(words) --browser ./.bin/browser --deadline 1.5",
      in: home, environment: ["TMPDIR": home.path])
    #expect(ending.status == 5, "\(ending)")
    if let id = pid_t(home.text("browser.id").dropLast()) { #expect(kill(id, 0) == -1) }
    #expect(!home.names.contains { $0.hasPrefix("hw-captcha") })
  }

  @Test func anUnsolvedCaptchaIsReportedAgainAndAgain() throws {
    let ending = try shell(
      "hw serve --race-seconds 1 --captcha-after 2 -- hw race watch --captcha wait --settle 2")
    #expect(ending.status == 9)
    #expect(ending.errors.contains("the CAPTCHA is not solved yet; next poll in"))
  }

  /// Without Enter the service is asked every ten seconds: three times until the race is over.
  @Test func enterAsksTheServiceAtOnce() throws {
    let (home, terminal) = (try Home(), try Terminal(columns: 90))
    let line = "echo $$ > id; exec hw race watch --captcha wait --jsonl --settle 1"
    let started = try Started(
      ["hw", "serve", "--race-seconds", "25", "--captcha-after", "2", "--", "sh", "-c", line], in: home,
      input: terminal.descriptor, errors: terminal.descriptor)
    try home.wait(for: ".1") { $0.contains("\"captcha\"") }
    for _ in 0..<5 {
      terminal.type("\r")
      #expect(terminal.see("the CAPTCHA is not solved yet") != nil)
    }
    kill(try #require(pid_t(home.text("id").dropLast())), SIGTERM)
    #expect(started.end().status == 143)
  }

  @Test func theUsualBrowserIsHandedTheAddress() throws {
    let home = try Home()
    try home.install("open", "#!/bin/sh\necho \"$1\" > opened\n")
    let ending = try shell(
      "hw serve -- hw race captcha --captcha open", in: home, environment: ["BROWSER": "./.bin/open"])
    #expect(ending.status == 0)
    #expect(try ending.output == "shown: \(home.wait(for: "opened"))")
  }
}
