import HTTP
import System
import TestSupport
import Terminal
import Testing

@testable import Command
@testable import Output
@testable import Server
@testable import Tools
@testable import hw

/// What a running server writes to standard error.
@Suite struct ServerLogs {
  private let clock = FakeClock()
  private let sink = MemorySink()

  private func log(_ format: LogFormat?, verbosity: Int = 0) throws -> ServerLog {
    let serve = try #require(Program.hw.tools.commands.first { $0.name == "serve" })
    var call = Invocation(serve, suite: nil)
    for _ in 0..<verbosity { call.count(StandardOptions.verbose.declaration) }
    let host = Host(
      environment: Environment([:]), time: clock,
      input: Host.InputStream(MemorySource("".utf8), isTerminal: false),
      output: Host.OutputStream(MemorySink(), isTerminal: false, size: { nil }),
      errors: ErrorStream(sink, isTerminal: false))
    let context = Context(program: .hw, call: call, host: host, output: Output(.init(), Outlet(MemorySink())))
    return try ServerLog(context, format)
  }

  private func record(
    client: String = "192.0.2.1", user: String? = "ann", method: HTTP.Method? = .get, failure: Failure? = nil
  ) -> AccessRecord {
    AccessRecord(
      time: clock.now(), client: client, user: user, id: "q 1", suite: "bikes", method: method,
      target: "/bikes?a=\u{1B}", status: 200, bytes: 12, duration: .microseconds(1234), failure: failure)
  }

  private let failure = Failure(.conflict, "a \"quoted\" \\ text\u{9B}")

  @Test func textLogEscapesFields() throws {
    let log = try log(.text)
    let write = try #require(log.requestLog)
    write(record())
    write(record(client: "", user: nil, method: nil, failure: failure))
    log.finish()
    #expect(
      sink.text == """
        2024-01-01T00:00:00.000Z 192.0.2.1 ann q%201 GET /bikes?a=\u{FFFD} 200 12 1.234
        2024-01-01T00:00:00.000Z - - q%201 - /bikes?a=\u{FFFD} 200 12 1.234 "a \\"quoted\\" \\\\ text\u{FFFD}"

        """)
  }

  @Test func jsonLogEscapesFields() throws {
    let log = try log(.json)
    let write = try #require(log.requestLog)
    write(record())
    write(record(client: "", user: nil, method: nil, failure: failure))
    log.report("started")
    log.finish()
    #expect(
      sink.text == """
        {"time":"2024-01-01T00:00:00.000Z","client":"192.0.2.1","user":"ann","id":"q 1","method":"GET","path":"/bikes?a=\\u001b","status":200,"bytes":12,"milliseconds":1.234,"error":null}
        {"time":"2024-01-01T00:00:00.000Z","client":"","user":null,"id":"q 1","method":null,"path":"/bikes?a=\\u001b","status":200,"bytes":12,"milliseconds":1.234,"error":"a \\"quoted\\" \\\\ text\\u009b"}
        {"time":"2024-01-01T00:00:00.000Z","message":"started"}

        """)
  }

  @Test func verboseLogPrintsRequests() throws {
    #expect(try log(nil).requestLog == nil)
    let log = try log(nil, verbosity: 1)
    let write = try #require(log.requestLog)
    write(record())
    write(record(method: nil, failure: failure))
    for verbosity in 0...2 { log.report("message \(verbosity)\u{7}", verbosity: verbosity) }
    log.finish()
    #expect(
      sink.text == """
        hw: GET /bikes?a=\u{FFFD} → 200, 12 bytes, 0.001234 seconds
        hw: - /bikes?a=\u{FFFD} → 200, 12 bytes, 0.001234 seconds (a "quoted" \\ text\u{FFFD})
        hw: message 0\u{FFFD}
        hw: message 1\u{FFFD}

        """)
  }

  /// The first, and one that lasts again after a minute; with a line for each request these say it.
  @Test func repeatedFailureIsLoggedOncePerMinute() throws {
    for format in [LogFormat.text, .json] { #expect(try log(format).failureLog == nil) }
    #expect(try log(nil, verbosity: 1).failureLog == nil)
    let log = try log(nil)
    let write = try #require(log.failureLog)
    func fail(_ message: String, after seconds: Int) {
      clock.advance(by: .seconds(seconds))
      write(Failure(.storage, message))
    }
    for (message, seconds) in [("a", 0), ("a", 59), ("a", 1), ("b", 1), ("a", 1), ("a", 59)] {
      fail(message, after: seconds)
    }
    log.finish()
    #expect(sink.text == "hw: a\nhw: a\nhw: b\nhw: a\n")
  }

  @Test func unknownTokensAreLogged() throws {
    #expect(try log(.text).unknownTokenLog == nil)
    let log = try log(nil)
    let write = try #require(log.unknownTokenLog)
    write("bikes", "192.0.2.1")
    write("bikes", "")
    log.finish()
    #expect(
      sink.text == """
        hw: bikes: a request with an unknown token from 192.0.2.1
        hw: bikes: a request with an unknown token

        """)
  }
}
