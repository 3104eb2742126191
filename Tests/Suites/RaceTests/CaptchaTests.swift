import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Race

@Suite struct Verdicts {
  @Test(arguments: [
    (")]}'\n[\"uvresp\",\"token\",1,120]", CaptchaVerdict.passed),
    (")]}'\n[\"uvresp\",\"\",0,120,null]", .failed), ("[\"uvresp\",\"token\",1]", .passed),
    (")]}'[\"uvresp\",null,null]", .unclear), (")]}'", .unclear), ("", .unclear), ("<html>", .unclear),
    (")]}'\n[1]", .unclear), (")]}'\n[\"\",\"\",2]", .failed), (")]}'\n{\"2\":1}", .unclear),
  ])
  func read(body: String, verdict: CaptchaVerdict) {
    #expect(CaptchaVerdict(body: Array(body.utf8)) == verdict)
  }

  @Test(arguments: [
    ("https://www.google.com/recaptcha/api2/userverify?k=6Le", true),
    ("https://www.recaptcha.net/recaptcha/enterprise/userverify", true),
    ("http://127.0.0.1:9/recaptcha/api2/userverify?k=demo", true),
    ("http://example.org/recaptcha/api2/userverify", false),
    ("https://www.google.com/recaptcha/api2/reload?k=/recaptcha/api2/userverify", false),
    ("https://www.google.com/recaptcha/api2/userverifyx", false), ("data:,/recaptcha/api2/userverify", false),
  ])
  func onlyVerificationIsOne(url: String, isOne: Bool) {
    #expect(CaptchaVerdict.isVerification(url) == isOne)
  }
}

/// The browser's side, as Chromium speaks: each line is a message of the browser, and what it led to. A line of `##` begins
/// with a new window.
///
/// - `attached SESSION TYPE`, `detached SESSION`
/// - `response SESSION URL STATUS [TYPE]`, `finished SESSION`, `failed SESSION`: events of the request 7.1
/// - `begin` and `close` are calls, and anything else is the message itself.
@Suite struct TheTalkWithABrowser {
  private static let names = [
    "attached": "Target.attachedToTarget", "detached": "Target.detachedFromTarget",
    "response": "Network.responseReceived", "finished": "Network.loadingFinished",
    "failed": "Network.loadingFailed",
  ]

  private static func message(_ words: [String]) -> String {
    guard let name = names[words[0]] else { return words[0] }
    let params =
      switch words[0] {
      case "attached": ##""sessionId":"\##(words[1])","targetInfo":{"type":"\##(words[2])"}"##
      case "detached": ##""sessionId":"\##(words[1])""##
      case "response":
        ##""requestId":"7.1","type":"\##(words.count > 4 ? words[4] : "XHR")","##
          + ##""response":{"url":"\##(words[2])","status":\##(words[3])}"##
      default: ##""requestId":"7.1""##
      }
    let session = name.hasPrefix("Network") ? ##","sessionId":"\##(words[1])""## : ""
    return ##"{"method":"\##(name)"\##(session),"params":{\##(params)}}"##
  }

  @Test func talksAreAsRecorded() throws {
    func newWatch() throws -> DevToolsWatch { DevToolsWatch(try CaptchaAddress("http://127.0.0.1:9/c")) }
    var watch = try newWatch()
    func shown(_ messages: [[UInt8]]) -> [String] {
      messages.map { "  sends \(String(decoding: $0, as: UTF8.self))" }
    }
    try RecordedText.holdRequests("devtools.txt", begin: { watch = try newWatch() }) { words in
      switch words[0] {
      case "begin": return shown(watch.begin())
      case "close": return shown([watch.close()])
      default:
        let step = watch.handle(Array(Self.message(words).utf8))
        return shown(step.messages) + (step.event.map { ["  event: \($0)"] } ?? [])
      }
    }
  }
}

/// The address comes from the service. It is printed, offered for pasting, and passed to programs.
@Suite struct CaptchaAddresses {
  @Test(arguments: [
    "https://a/#\u{1B}[2J", "https://a/#\u{9B}2J", "https://a/#\r\nb", "https://a/#\u{202E}",
    "https://a/#b c", "https://a/#\u{200B}", "https://a/\u{7}", "http://example.org/", "file:///etc/passwd",
    "https://a/#\u{A0}", "https://a/b c", "https://a/\(String(repeating: "b", count: 4096))",
  ])
  func areRefused(_ text: String) {
    let failure = #expect(throws: Failure.self) { try CaptchaAddress(text) }
    #expect(failure?.kind == .invalidData)
    #expect(failure.map { $0.message.terminalSafe == $0.message } == true)
  }

  @Test(arguments: [
    ("https://a/b", "'hw race captcha https://a/b'"),
    ("https://a/b?c=d", "hw race captcha 'https://a/b?c=d'"),
    ("https://a/#';touch+x;'", #"hw race captcha 'https://a/#'\'';touch+x;'\'''"#),
  ])
  func areQuotedInTheHint(_ text: String, _ command: String) throws {
    let hint = try #require(try CaptchaAddress(text).unsolved.hint)
    #expect(hint == "solve it in a browser or with \(command), then retry")
  }

  @Test func areLimitedTo4096Bytes() throws {
    let longest = "https://a/" + String(repeating: "b", count: 4086)
    #expect(try CaptchaAddress(longest).text == longest)
    let failure = failure { try CaptchaAddress(longest + "b") }
    #expect(
      failure?.message.hasSuffix("is not an address for a CAPTCHA: it is longer than 4096 bytes") == true)
    // Only the beginning of it is repeated.
    #expect(failure?.message.hasPrefix("'https://a/\(String(repeating: "b", count: 70))' is not") == true)
  }

  @Test func areFoundInAFailureOfTheirKindAlone() throws {
    let unsolved = try CaptchaAddress("https://a/b").unsolved
    #expect(unsolved.kind == .captcha && unsolved.retryable)
    #expect(unsolved.message == "the service requires a CAPTCHA: https://a/b")
    #expect(unsolved.captchaAddress?.text == "https://a/b")
    var failure = unsolved
    failure.kind = .connection
    #expect(failure.captchaAddress == nil)
    failure = Failure(
      .captcha, "", details: [.init("other", .text("https://x/")), .init("captchaUrl", .text("https://y/"))])
    #expect(failure.captchaAddress?.text == "https://y/")
    for value in [Failure.Detail.Value.text("file:///x"), .integer(1)] {
      #expect(Failure(.captcha, "", details: [.init("captchaUrl", value)]).captchaAddress == nil)
    }
  }
}

/// The time until the next call is accepted, in a failure.
@Suite struct WaitsInFailures {
  @Test(arguments: [
    (0, 0), (1, 1), (1000, 1), (1001, 2), (-1, 0), (-5000, 0), (86_400_000, 86_400), (86_400_001, 86_400),
  ])
  func wholeSecondsRoundedUpDayAtMost(milliseconds: Int, seconds: Int) {
    let failure = Failure(.rateLimited, "limited", hint: "later").retryable(in: .milliseconds(milliseconds))
    #expect(failure.hint == "retry in \(seconds) s" && failure.message == "limited")
    #expect(failure.details == [.init("retryAfter", .integer(seconds))])
    #expect(failure.retryAfter == .seconds(seconds))
  }

  @Test(arguments: [(-3, 0), (0, 0), (7, 7), (86_400, 86_400), (86_401, 86_400)])
  func areRead(seconds: Int, wait: Int) {
    let details = [Failure.Detail("other", .integer(5)), .init("retryAfter", .integer(seconds))]
    #expect(Failure(.rateLimited, "", details: details).retryAfter == .seconds(wait))
    #expect(Failure(.rateLimited, "", details: [.init("retryAfter", .text("7"))]).retryAfter == nil)
    #expect(Failure(.rateLimited, "").retryAfter == nil)
  }

  @Test(arguments: [(0, 60_000), (18_000, 42_000), (18_500, 41_500), (59_999, 1), (60_000, 60_000)])
  func theNextMinuteOfTheClock(milliseconds: Int, left: Int) {
    let time = FakeClock()
    time.advance(by: .milliseconds(milliseconds))
    #expect(time.nextMinute == .milliseconds(left))
  }
}
