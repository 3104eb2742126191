import HTTP
import JSON
import System
import TestSupport
import Testing

@testable import Race

@Suite struct Verdicts {
  @Test(arguments: [
    (")]}'\n[\"uvresp\",\"token\",1,120]", CaptchaVerdict.passed),
    (")]}'\n[\"uvresp\",\"\",0,120,null]", .failed),
    ("[\"uvresp\",\"token\",1]", .passed), (")]}'[\"uvresp\",null,null]", .unclear), (")]}'", .unclear),
    ("", .unclear),
    ("<html>", .unclear), (")]}'\n[1]", .unclear), (")]}'\n[\"\",\"\",2]", .failed),
    (")]}'\n{\"2\":1}", .unclear),
  ])
  func read(body: String, verdict: CaptchaVerdict) {
    #expect(CaptchaVerdict(body: Array(body.utf8)) == verdict)
  }

  @Test(
    arguments: [
      ("https://www.google.com/recaptcha/api2/userverify?k=6Le", true),
      ("https://www.recaptcha.net/recaptcha/enterprise/userverify", true),
      ("http://127.0.0.1:9/recaptcha/api2/userverify?k=demo", true),
      ("http://example.org/recaptcha/api2/userverify", false),
      ("https://www.google.com/recaptcha/api2/reload?k=/recaptcha/api2/userverify", false),
      ("https://www.google.com/recaptcha/api2/userverifyx", false),
      ("data:,/recaptcha/api2/userverify", false),
    ])
  func onlyVerificationIsOne(url: String, isOne: Bool) {
    #expect(CaptchaVerdict.isVerification(url) == isOne)
  }
}

/// The browser's side, as Chromium speaks.
@Suite struct TheTalkWithABrowser {
  private static let verification = "http://127.0.0.1:9/recaptcha/api2/userverify?k=demo"

  private func attached(_ session: String, _ type: String) -> String {
    """
    {"method":"Target.attachedToTarget","params":{"sessionId":"\(session)","targetInfo":{"type":"\(type)"},\
    "waitingForDebugger":true}}
    """
  }

  private func network(_ event: String, _ session: String, _ rest: String = "") -> String {
    "{\"method\":\"Network.\(event)\",\"sessionId\":\"\(session)\",\"params\":{\"requestId\":\"7.1\"\(rest)}}"
  }

  private func response(_ url: String, status: Int = 200) -> String {
    ",\"response\":{\"url\":\"\(url)\",\"status\":\(status)}"
  }

  private func talk() throws -> (DevToolsWatch, methods: (DevToolsWatch.Step) -> [String]) {
    var watch = DevToolsWatch(try CaptchaAddress("http://127.0.0.1:9/c"))
    #expect(watch.begin().count == 1)
    return (watch, { step in step.messages.compactMap { try? JSON.parse($0)["method"].string } })
  }

  private func ended(
    _ url: String = verification, status: Int = 200, session: String = "S2", answer: String
  ) throws -> DevToolsWatch.Event? {
    var (watch, _) = try talk()
    _ = watch.handle(Array(attached("S1", "page").utf8))
    _ = watch.handle(Array(network("responseReceived", "S2", response(url, status: status)).utf8))
    let step = watch.handle(Array(network("loadingFinished", session).utf8))
    guard let question = step.messages.first, let id = try? JSON.parse(question)["id"].int else { return nil }
    return watch.handle(Array("{\"id\":\(id),\"sessionId\":\"S2\",\(answer)}".utf8)).event
  }

  @Test func theBodyTellsPassedFromFailed() throws {
    let passed = Base64.encode(Array(")]}'\n[\"uvresp\",\"t\",1]".utf8))
    let encoded = #""result":{"body":"\#(passed)","base64Encoded":true}"#
    #expect(try ended(answer: encoded) == .verdict(.passed))
    let plain = #""result":{"body":")]}'\n[\"uvresp\",\"\",0]","base64Encoded":false}"#
    #expect(try ended(answer: plain) == .verdict(.failed))
    #expect(try ended(answer: #""error":{"code":-32000,"message":"No resource"}"#) == .verdict(.unclear))
    #expect(try ended(answer: #""result":{"body":"%%","base64Encoded":true}"#) == .verdict(.unclear))
  }

  @Test func aPageThatCannotBeLoadedIsReported() throws {
    func event(_ messages: [String]) throws -> DevToolsWatch.Event? {
      var (watch, _) = try talk()
      let step = watch.handle(Array(attached("S1", "page").utf8))
      let id = try JSON.parse(step.messages[3])["id"].int
      return messages.map { $0.replacing("ID", with: "\(id)") }
        .compactMap { watch.handle(Array($0.utf8)).event }.first
    }
    let refused =
      #"{"id":ID,"sessionId":"S1","result":{"frameId":"F","errorText":"net::ERR_CONNECTION_REFUSED"}}"#
    #expect(try event([refused]) == .notLoaded("net::ERR_CONNECTION_REFUSED"))
    #expect(try event([#"{"id":ID,"error":{"message":"Cannot navigate"}}"#]) == .notLoaded("Cannot navigate"))
    #expect(try event([#"{"id":ID,"sessionId":"S1","result":{"frameId":"F"}}"#]) == nil)
    #expect(try event([#"{"id":ID,"sessionId":"S1","result":{"errorText":""}}"#]) == nil)
    // The failure of another message is not that of the page.
    #expect(try event([#"{"id":2,"error":{"message":"Cannot enable"}}"#]) == nil)
  }

  @Test func messagesToBrowserAreExact() throws {
    var watch = DevToolsWatch(try CaptchaAddress("http://127.0.0.1:9/c"))
    func text(_ messages: [[UInt8]]) -> [String] { messages.map { String(decoding: $0, as: UTF8.self) } }
    let attach = #""params":{"autoAttach":true,"waitForDebuggerOnStart":true,"flatten":true}}"#
    #expect(text(watch.begin()) == [#"{"id":1,"method":"Target.setAutoAttach","# + attach])
    #expect(
      text(watch.handle(Array(attached("S1", "page").utf8)).messages) == [
        #"{"id":2,"method":"Network.enable","sessionId":"S1","params":{}}"#,
        #"{"id":3,"method":"Target.setAutoAttach","sessionId":"S1","# + attach,
        #"{"id":4,"method":"Runtime.runIfWaitingForDebugger","sessionId":"S1","params":{}}"#,
        #"{"id":5,"method":"Page.navigate","sessionId":"S1","params":{"url":"http://127.0.0.1:9/c"}}"#,
      ])
    // A frame, and a page that the first one opens, have addresses of their own.
    for (session, type) in [("S2", "iframe"), ("S3", "page")] {
      let watched = text(watch.handle(Array(attached(session, type).utf8)).messages)
      #expect(watched.count == 3 && !watched.contains { $0.contains("Page.navigate") }, "\(watched)")
    }
    let answer = network("responseReceived", "S2", response(Self.verification))
    #expect(watch.handle(Array(answer.utf8)).messages.isEmpty)
    #expect(
      text(watch.handle(Array(network("loadingFinished", "S2").utf8)).messages) == [
        #"{"id":12,"method":"Network.getResponseBody","sessionId":"S2","params":{"requestId":"7.1"}}"#
      ])
    #expect(text([watch.close()]) == [#"{"id":13,"method":"Browser.close","params":{}}"#])
  }

  @Test func anAttemptIsAskedAboutOnce() throws {
    var (watch, methods) = try talk()
    let finished = Array(network("loadingFinished", "S2").utf8)
    func receive() {
      _ = watch.handle(Array(network("responseReceived", "S2", response(Self.verification)).utf8))
    }
    receive()
    let step = watch.handle(finished)
    #expect(methods(step) == ["Network.getResponseBody"])
    #expect(watch.handle(finished).messages.isEmpty)
    let id = try JSON.parse(step.messages[0])["id"].int
    let body = Array(#"{"id":\#(id),"sessionId":"S2","result":{"body":"[1,2,1]"}}"#.utf8)
    #expect(watch.handle(body).event == .verdict(.passed))
    #expect(watch.handle(body).event == nil)
    // One whose response was lost has none.
    receive()
    _ = watch.handle(Array(network("loadingFailed", "S2").utf8))
    #expect(watch.handle(finished).messages.isEmpty)
  }

  @Test(
    arguments: [
      ("c", "Document", 399, nil), ("c", "Document", 400, .notLoaded("the response was 400")),
      ("c", "Script", 404, nil),
      // Another document of the page, such as a frame of it.
      ("d", "Document", 404, nil),
    ] as [(String, String, Int, DevToolsWatch.Event?)])
  func pageIsNotLoadedFrom400OnWhateverItsPartsAre(
    path: String, type: String, status: Int, event: DevToolsWatch.Event?
  ) throws {
    var (watch, _) = try talk()
    let page = network(
      "responseReceived", "S1",
      ",\"type\":\"\(type)\"" + response("http://127.0.0.1:9/\(path)", status: status))
    #expect(watch.handle(Array(page.utf8)).event == event)
  }

  @Test func otherAnswersAreNoAttempts() throws {
    let passed = #""result":{"body":")]}'\n[1,2,1]"}"#
    #expect(try ended("https://www.google.com/recaptcha/api2/reload", answer: passed) == nil)
    #expect(try ended(status: 400, answer: passed) == nil)
    // The same number in another frame is another request.
    #expect(try ended(session: "S9", answer: passed) == nil)
  }

  @Test func aResponseWithoutAnAddressOrAStatusIsNoAttempt() throws {
    for rest in ["", ",\"response\":{\"status\":200}", ",\"response\":{\"url\":\"\(Self.verification)\"}"] {
      var (watch, _) = try talk()
      _ = watch.handle(Array(network("responseReceived", "S2", rest).utf8))
      #expect(watch.handle(Array(network("loadingFinished", "S2").utf8)).messages.isEmpty, "\(rest)")
    }
  }

  @Test func theLastPageThatGoesIsTheWindow() throws {
    var (watch, _) = try talk()
    func detached(_ session: String) -> [UInt8] {
      Array("{\"method\":\"Target.detachedFromTarget\",\"params\":{\"sessionId\":\"\(session)\"}}".utf8)
    }
    #expect(watch.handle(detached("S1")).event == nil, "no page was open")
    for session in ["S1", "S2"] { _ = watch.handle(Array(attached(session, "page").utf8)) }
    _ = watch.handle(Array(attached("S3", "iframe").utf8))
    #expect(watch.handle(detached("S3")).event == nil)
    #expect(watch.handle(detached("S1")).event == nil)
    #expect(watch.handle(detached("S2")).event == .closed)
    #expect(watch.handle(detached("S2")).event == nil)
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{\"id\":999}", "{\"id\":\"x\"}", "{\"method\":5}",
      "{\"method\":\"Network.loadingFinished\"}",
      "{\"method\":\"Target.attachedToTarget\",\"params\":{}}",
      "{\"method\":\"Network.responseReceived\",\"params\":3}",
    ])
  func nonsenseIsPassedOver(text: String) throws {
    var (watch, _) = try talk()
    let step = watch.handle(Array(text.utf8))
    #expect(step.event == nil)
    #expect(step.messages.isEmpty)
  }
}

/// The address comes from the service. It is printed, offered for pasting, and passed to programs.
@Suite struct CaptchaAddresses {
  @Test(arguments: [
    "https://a/#\u{1B}[2J", "https://a/#\u{9B}2J", "https://a/#\r\nb", "https://a/#\u{202E}",
    "https://a/#b c",
    "https://a/#\u{200B}", "https://a/\u{7}", "http://example.org/", "file:///etc/passwd",
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
  @Test(
    arguments: [
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
