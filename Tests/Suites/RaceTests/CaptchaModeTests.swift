import Command
import Foundation
import System
import TestSupport
import Testing

@testable import Race

/// What is done about a CAPTCHA, by the options and what is installed.
@Suite struct CaptchaModeTests {
  private static let display = ["DISPLAY": ":0"]
  private static let family = "there is no browser of the Chromium family"

  /// Prints the mode, and whether Enter is waited for.
  private static let mode = Command(
    "mode", "Print the mode", options: [Race.captchaMode, Race.browser], output: .plain("One line."),
    examples: []
  ) { call, context throws(Failure) in
    let solver = try CaptchaSolver(call, context)
    try context.output.outlet.write(
      "\(solver.mode.rawValue)\(solver.keyboard == nil ? "" : " with a keyboard")\n")
  }

  /// A run on a machine that has only these programs.
  private func run(
    _ words: [String], installed: [String], _ environment: [String: String], terminal: Set<Ran.Stream>
  ) throws -> Ran {
    let scratch = try ScratchDirectory()
    for name in installed {
      try FileManager.default.createSymbolicLink(atPath: scratch.file(name), withDestinationPath: "/bin/sh")
    }
    let suite = Suite("race", "Races", commands: [Self.mode])
    return Ran(
      .only("race", suite), ["race", "mode"] + words,
      environment: environment.merging(["PATH": scratch.path]) { $1 }, terminal: terminal)
  }

  @Test(
    arguments: [
      ([], ["chromium", "xdg-open"], [:], "wait"), ([], ["chromium", "xdg-open"], display, "browser"),
      ([], ["vivaldi-stable"], ["WAYLAND_DISPLAY": "w"], "browser"), ([], ["xdg-open"], display, "open"),
      ([], [], display, "wait"), (["--captcha", "browser"], ["microsoft-edge"], [:], "browser"),
      (["--captcha", "open"], ["xdg-open"], [:], "open"),
      (["--captcha", "wait"], ["chrome"], display, "wait"),
      (["--captcha", "fail"], ["chrome"], display, "fail"),
      // The browser is the first word, and blanks are none.
      (["--browser", "sh --new"], ["sh"], display, "browser"),
      (["--browser", " "], ["google-chrome"], display, "browser"),
    ] as [([String], [String], [String: String], String)])
  func onATerminal(
    words: [String], installed: [String], environment: [String: String], mode: String
  ) throws {
    let ran = try run(words, installed: installed, environment, terminal: [.input, .errors])
    #expect(ran.output == "\(mode) with a keyboard\n" && ran.errors == "")
  }

  @Test(
    arguments: [
      (["--captcha", "browser"], ["xdg-open"], false, family), (["--captcha", "browser"], [], true, family),
      (
        ["--captcha", "browser", "--browser", "nosuch --new"], ["chromium"], false,
        "there is no browser 'nosuch'"
      ),
      (["--browser", "nosuch"], ["chromium"], true, "there is no browser 'nosuch'"),
      (["--captcha", "open"], ["chromium"], false, "there is neither xdg-open nor $BROWSER"),
    ] as [([String], [String], Bool, String)])
  func choiceThatIsNotPossibleIsRefused(
    words: [String], installed: [String], isOnTerminal: Bool, message: String
  ) throws {
    let ran = try run(
      words, installed: installed, isOnTerminal ? Self.display : [:],
      terminal: isOnTerminal ? [.input, .errors] : [])
    #expect(ran.status == 2 && ran.output == "" && ran.errors.hasPrefix("hw: \(message)\n"), "\(ran)")
  }

  @Test func captchaWithoutPersonFails() throws {
    for terminal in [[], [.input], [.errors], [.output]] as [Set<Ran.Stream>] {
      let ran = try run([], installed: ["chromium", "xdg-open"], Self.display, terminal: terminal)
      #expect(ran.output == "fail\n" && ran.errors == "", "\(terminal)")
    }
  }
}

/// `hw race captcha` with a script in place of the browser.
@Suite struct CaptchaCommandTests {
  private static let address = "https://captcha.example/c"

  /// A browser whose page reports these bodies of responses, one after the other.
  private func run(_ bodies: [String], _ words: [String] = []) throws -> Ran {
    let scratch = try ScratchDirectory()
    let attempts = bodies.enumerated().flatMap { CaptchaBrowserTests.attempt($0 + 1, body: $1) }
    let messages = [CaptchaBrowserTests.page] + attempts
    try scratch.write(messages.map { "\($0)\0" }.joined(), to: "messages")
    try scratch.write(
      "dd bs=1 count=1 <&3 >/dev/null 2>&1; cat '\(scratch.file("messages"))' >&4; cat <&3 >/dev/null",
      to: "browser")
    return Ran(
      .only("race", Race.suite),
      ["race", "captcha", Self.address, "--captcha", "browser"]
        + ["--browser", "/bin/sh \(scratch.file("browser"))"] + words,
      environment: ["TMPDIR": scratch.path, "PATH": "/usr/bin:/bin"])
  }

  @Test(arguments: [([], 0), (["-v"], 2)]) func passedIsPrintedAndFailedAttemptsAreOnWish(
    options: [String], reports: Int
  ) throws {
    let passed = try run(["[0,0,0]", "[0,0,0]", "[0,0,1]"], options)
    let report = "hw: that attempt failed; the window stays open"
    #expect(passed.status == 0 && passed.output == "passed: \(Self.address)\n")
    #expect(passed.errors.split(separator: "\n").count { $0 == report } == reports, "\(passed.errors)")
    #expect(options != [] || passed.errors == "")
  }

  @Test func unclearOutcomePrintsAddress() throws {
    let unclear = try run(["<html>"])
    #expect(
      unclear.status == 0 && unclear.output == "solve the CAPTCHA at: \(Self.address)\n"
        && unclear.errors == "")
  }

  @Test(.needs(.libsqlite3)) func anAddressOfTheServiceIsAskedForOnlyWithoutOne() throws {
    func captcha(_ words: String...) -> Ran {
      Ran(
        .only("race", Race.suite), ["race", "captcha", "--captcha", "wait", "--demo"] + words,
        environment: [:], time: FakeClock())
    }
    #expect(captcha(Self.address).output == "solve the CAPTCHA at: \(Self.address)\n")
    #expect(captcha().output == "solve the CAPTCHA at: https://www.google.com/recaptcha/api2/demo\n")
    #expect(captcha("ftp://a/").status == 2)
  }
}
