import Foundation
import TestSupport
import Testing

/// The whole flow with a real browser, against the backend's own page.
@Suite(.ownThread, .needs(.chromium), .serialized) struct CaptchaInChromium {
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

  @Test func captchaPassesAfterFailedAttempts() throws {
    let ending = try run("--captcha-fails 2", "hw race captcha --captcha browser --browser ./.bin/browser -v")
    #expect(ending.status == 0 && ending.output.hasPrefix("passed: "), "\(ending)")
    #expect(ending.errors.split(separator: "\n").count { $0.contains("that attempt failed") } == 2)
    #expect(leavesNoProfile)
  }

  @Test func watchContinuesAfterCaptcha() throws {
    // Long enough for a browser that starts slowly.
    let started = try Started(
      [
        "hw", "serve", "--race-seconds", "90", "--captcha-after", "2", "--", "sh", "-c",
        "echo $$ > id; exec hw race watch --captcha browser --browser ./.bin/browser --jsonl > events",
      ], in: home, environment: ["TMPDIR": home.path])
    try waitUntil("the end of the CAPTCHA") { home.text("events").contains("{\"event\":\"resumed\"") }
    #expect(leavesNoProfile)
    kill(try #require(pid_t(home.text("id").dropLast())), SIGINT)
    #expect(started.end().status == 130)
  }

  @Test func signalEndsBrowser() throws {
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

@Suite(.ownThread, .needs(.libsqlite3)) struct CaptchaDeadline {
  @Test(arguments: [
    "race captcha --captcha browser", "race watch --captcha browser", "race watch --captcha wait",
  ])
  func deadlineEndsBrowser(words: String) throws {
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
}
