import Foundation
import System
import TestSupport
import Testing

@testable import Race

/// The window of a CAPTCHA with a script in place of the browser: it gets commands at descriptor 3, each ended by a zero
/// byte, and writes messages to descriptor 4.
@Suite struct CaptchaBrowserTests {
  private let scratch: ScratchDirectory
  private let address: CaptchaAddress

  init() throws {
    scratch = try ScratchDirectory()
    address = try CaptchaAddress("https://captcha.example/c")
  }

  static let page =
    #"{"method":"Target.attachedToTarget","params":{"sessionId":"S1","targetInfo":{"type":"page"}}}"#
  private static let gone = #"{"method":"Target.detachedFromTarget","params":{"sessionId":"S1"}}"#

  /// An attempt to solve it, from the request to the body of its response: the command with number `id` asks for that.
  static func attempt(_ number: Int, body: String) -> [String] {
    let id = 5 + number
    let url = "https://www.google.com/recaptcha/api2/userverify"
    let network = { (event: String, rest: String) in
      #"{"method":"Network.\#(event)","sessionId":"S1","params":{"requestId":"\#(number)"\#(rest)}}"#
    }
    return [
      network("responseReceived", #","response":{"url":"\#(url)","status":200}"#),
      network("loadingFinished", ""),
      #"{"id":\#(id),"sessionId":"S1","result":{"body":"\#(body)","base64Encoded":false}}"#,
    ]
  }

  /// Runs the script as the browser. It says the messages when it has been sent something, then does what `end` says.
  private func solve(
    _ messages: [String], end: String = "cat <&3 >/dev/null", ignoresSignals: Bool = false,
    time: any TimeKeeper = SystemTime()
  ) throws -> (result: Result<CaptchaVerdict, Failure>, failed: Int) {
    try File.replace(scratch.file("messages"), with: Array(messages.joined(separator: "\0").utf8 + [0]))
    let script = """
      \(ignoresSignals ? "trap '' TERM FPE" : "")
      cd '\(scratch.path)'
      echo $$ >number
      printf '%s\\n' "$@" >arguments
      dd bs=1 count=1 <&3 2>/dev/null | cat >first
      \(messages.isEmpty ? ":" : "cat messages >&4")
      \(end)
      """
    try File.replace(scratch.file("browser"), with: Array(script.utf8))
    // Not started itself: a process that another test starts meanwhile may have it open for writing, for a moment.
    let browser = CaptchaBrowser(
      ["/bin/sh", scratch.file("browser"), "--own"],
      environment: Environment(["TMPDIR": scratch.path, "PATH": "/usr/bin:/bin"]), time: time)
    var failed = 0
    let result = Result { () throws(Failure) in try browser.solve(address) { failed += 1 } }
    #expect(!scratch.names.contains { $0.hasPrefix("hw-captcha-") })
    return (result, failed)
  }

  private func lines(_ name: String) throws -> [String] {
    String(decoding: try File.read(scratch.file(name)) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// A browser writes where no screen is. Its own temporary files are removed with the profile.
  @Test func getsAProfileOfItsOwnAndAPipe() throws {
    let links = (0...2).map { "$(readlink /proc/$$/fd/\($0))" }.joined(separator: "\n")
    _ = try solve([], end: "links=\"\(links)\"; echo \"$links\" >links; echo \"$TMPDIR\" >temporary; exit 0")
    let found = try lines("links")
    #expect(found.count == 3 && found.prefix(2) == ["/dev/null", "/dev/null"])
    #expect(found.last?.contains("/hw-captcha-") == true && found.last?.hasSuffix("/hw-errors.log") == true)
    #expect(try lines("temporary").first?.contains("/hw-captcha-") == true)
    let arguments = try lines("arguments")
    #expect(arguments[0] == "--own")
    #expect(arguments.contains("--remote-debugging-pipe"))
    #expect(arguments.contains { $0.hasPrefix("--user-data-dir=\(scratch.path)/hw-captcha-") })
    #expect(arguments.last == "--app=data:text/html,<title>CAPTCHA</title>")
  }

  @Test func aSolvedCaptchaEndsIt() throws {
    let failed = Self.attempt(1, body: #")]}'\n[\"uvresp\",\"\",0]"#)
    let passed = Self.attempt(2, body: #")]}'\n[\"uvresp\",\"t\",1]"#)
    let solved = try solve(
      [Self.page] + failed + passed, end: "tr '\\0' '\\n' <&3 >commands", ignoresSignals: true)
    #expect(try solved.result.get() == .passed)
    #expect(solved.failed == 1)
    // It was asked to close before its commands ended.
    let commands = try lines("commands")
    #expect(commands.last?.contains(#""Browser.close""#) == true)
    #expect(commands.contains { $0.contains("Page.navigate") && $0.contains("https://captcha.example/c") })
  }

  @Test(arguments: ["", "exec 4>&-; "])
  func aClosedWindowIsAFailureOfTheCaptcha(end: String) throws {
    let messages = end.isEmpty ? [Self.page, Self.gone] : [Self.page]
    let result = try solve(messages, end: "\(end)cat <&3 >/dev/null").result
    let failure = #expect(throws: Failure.self) { try result.get() }
    #expect(failure?.kind == .captcha)
    #expect(
      failure?.message == "the window was closed before the CAPTCHA was solved: https://captcha.example/c")
  }

  @Test func aPageThatIsNotThere() throws {
    let refused = #"{"id":5,"sessionId":"S1","result":{"errorText":"net::ERR_NAME"}}"#
    let result = try solve([Self.page, refused]).result
    let failure = #expect(throws: Failure.self) { try result.get() }
    #expect(failure?.kind == .connection)
    #expect(failure?.message == "the page of the CAPTCHA cannot be loaded: net::ERR_NAME")
    #expect(failure?.hint == "https://captcha.example/c")
  }

  @Test(arguments: [
    ("echo first >&2; echo 'no display' >&2; echo ' ' >&2; exit 1", ": no display", "check that it starts"),
    ("echo 'use --no-sandbox' >&2; exit 1", ": use --no-sandbox", "as root it requires"),
    ("exit 0", "", "check"),
    ("head -c 400 /dev/zero | tr '\\0' x >&2; exit 1", ": \(String(repeating: "x", count: 300))", "check"),
    // What it wrote some 16 000 bytes before counts too.
    (
      "echo no-sandbox >&2; head -c 16000 /dev/zero | tr '\\0' x >&2; echo >&2; echo last >&2; exit 1",
      ": last", "as root it requires"
    ),
  ])
  func aBrowserThatDoesNotStart(end: String, reason: String, hint: String) throws {
    let result = try solve([], end: end).result
    let failure = #expect(throws: Failure.self) { try result.get() }
    #expect(failure?.kind == .connection)
    #expect(failure?.message == "the browser '/bin/sh' exited before it opened a page\(reason)")
    #expect(failure?.hint?.hasPrefix(hint) == true)
  }

  @Test func aProgramThatIsNotThere() {
    let browser = CaptchaBrowser(
      [scratch.file("nothing")], environment: Environment(["TMPDIR": scratch.path]), time: SystemTime())
    let failure = #expect(throws: Failure.self) { try browser.solve(address) {} }
    #expect(failure?.message.hasPrefix("cannot start the browser '\(scratch.file("nothing"))': ") == true)
    #expect(scratch.names.isEmpty)
  }

  /// In a process of its own, since the tests of others open descriptors as well. The first attempt opens what stays
  /// until the process ends, and a thread may end later than the attempt that started it.
  @Test func descriptorsOfAFailedStartAreClosed() async {
    await #expect(processExitsWith: .success) {
      func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let scratch = try ScratchDirectory()
      let address = try CaptchaAddress("https://host/captcha")
      func attempt(_ number: Int) throws {
        let browser = CaptchaBrowser(
          [scratch.file("nothing")], environment: Environment(["TMPDIR": scratch.path]), time: SystemTime())
        #expect(throws: Failure.self) { try browser.solve(address) {} }
      }
      try attempt(0)
      let before = try open()
      // What is left open ten times is not what something else opened meanwhile.
      for number in 1...10 { try attempt(number) }
      try? waitUntil("the descriptors", within: .seconds(2)) { try open() < before + 10 }
      let after = try open()
      #expect(after < before + 10)
    }
  }

  /// The end of its commands is a sign to end, as SIGTERM is; after a second SIGKILL follows.
  @Test(arguments: [false, true])
  func aBrowserThatIgnoresSignals(isDeaf: Bool) throws {
    // No wait: a program without an end.
    let end = isDeaf ? "while :; do sleep 9; done" : "cat <&3 >/dev/null; echo end >ended"
    let time: any TimeKeeper = isDeaf ? FakeClock() : SystemTime()
    let solved = try solve([Self.page, Self.gone], end: end, ignoresSignals: true, time: time)
    #expect(throws: Failure.self) { try solved.result.get() }
    #expect(scratch.names.contains("ended") != isDeaf)
    let number = try #require(Int32(try lines("number").first ?? ""))
    #expect(kill(number, 0) == -1 && errno == ESRCH)
    if let clock = time as? FakeClock {
      #expect(clock.sleeps.prefix(20) == Array(repeating: .milliseconds(50), count: 20)[...])
    }
  }

  /// The commands of a script that opens the window and closes it.
  private static let opensAndCloses = "printf '%s\\0' '\(page)' '\(gone)' >&4"

  @Test func aBrowserThatReadsNoCommandsIsAskedToEnd() throws {
    // No wait: a program without an end. A shell looks for signals between its commands, so they are short.
    let end = "trap 'echo end >ended; exit' TERM; \(Self.opensAndCloses); while :; do sleep 0.01; done"
    #expect(throws: Failure.self) { try solve([], end: end).result.get() }
    #expect(scratch.names.contains("ended"))
  }

  @Test func theChildrenOfTheBrowserEndWithIt() throws {
    // No wait: a child without an end.
    let end = "sleep 600 & echo $! >child; \(Self.opensAndCloses); cat <&3 >/dev/null"
    #expect(throws: Failure.self) { try solve([], end: end).result.get() }
    let child = try #require(Int32(try lines("child").first ?? ""))
    try waitUntil("the end of the child", within: .seconds(10)) {
      // One that nobody has waited for yet is a zombie.
      let state = (try? File.read("/proc/\(child)/stat")) ?? nil
      return state.map { String(decoding: $0, as: UTF8.self).contains(") Z ") } ?? true
    }
  }

  @Test func messagesMayComeInPieces() throws {
    let text = Self.page.replacing("'", with: "")
    // Nothing tells when the first piece has been read.
    let pieces =
      "printf '%s' '\(text.prefix(20))' >&4; sleep 0.05; printf '%s\\0' '\(text.dropFirst(20))' >&4"
    let result = try solve([], end: "\(pieces); exec 4>&-; cat <&3 >/dev/null").result
    #expect(#expect(throws: Failure.self) { try result.get() }?.kind == .captcha)
  }
}
