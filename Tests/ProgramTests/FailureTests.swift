import System
import TestSupport
import Testing

@testable import HTTP
@testable import Store

/// What is said of every error of a connection, of a service and of a database, and what a program is told.
@Suite struct FailureTables {
  private func line(_ title: String, _ failure: Failure) -> String {
    let marks = [failure.retryable ? "retryable" : nil, failure.outcomeUnknown ? "outcome unknown" : nil]
    let details = failure.details.map { "\($0.name)=\($0.value)" }
    let causes = failure.storageProblem.map { ["\($0)"] } ?? []
    let facts = ([failure.kind.rawValue] + marks.compactMap { $0 } + details + causes).joined(separator: ", ")
    return "\(title): \(facts)\n  \(failure.message)\n" + (failure.hint.map { "  | \($0)\n" } ?? "")
  }

  @Test func ofAConnection() throws {
    let errors: [ConnectionError] = [
      .unknownHost, .refused, .connectTimedOut(.seconds(5)), .notConnected("no route"), .untrusted("expired"),
      .proxyFailed("it returned 407"), .timedOut(.seconds(30)), .timedOut(.milliseconds(1500)), .closed,
      .cutShort(status: nil), .cutShort(status: 206), .tooLarge(limit: 1), .tooLarge(limit: 1023),
      .tooLarge(limit: 1024), .tooLarge(limit: 1025), .tooLarge(limit: 3 << 19), .tooLarge(limit: 1 << 20),
      .tooLarge(limit: 64 << 20), .malformed("is not HTTP"), .interrupted,
    ]
    var text = ""
    for method in [HTTP.Method.get, .post] {
      for address in [
        "https://example.org/a?b=c", "http://127.0.0.1:7400", "http://[::1]:1", "unix:/run/hw.sock",
      ]
      where method == .get || address.hasPrefix("https") {
        for error in errors {
          let request = try Request(method, URL(address))
          text += line("\(method.rawValue) \(address), \(error)", error.failure(of: request))
        }
      }
    }
    try RecordedText.hold("failures/connections.txt", to: text)
  }

  @Test func ofAResponse() throws {
    var text = ""
    let statuses = [
      100, 204, 301, 302, 304, 307, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 422,
      425,
      426, 428, 429, 431, 451, 499, 500, 501, 502, 503, 504, 507, 508, 511, 520, 599,
    ]
    for method in [HTTP.Method.get, .post] {
      for status in statuses {
        let request = try Request(method, URL("https://example.org/a?b=c&token=secret"))
        text += line("\(method.rawValue) \(status)", Response(status).failure(for: request))
      }
    }
    let bodies = [
      #"{"error":"no such bike"}"#, #"{"message":"later","error":{"code":7}}"#, "plain words\n",
      "<html><h1>Oops",
      "", "\u{1B}[31mred\u{1B}[0m", String(repeating: "long ", count: 200),
    ]
    for body in bodies {
      for type in ["application/json", "text/plain", "text/html"] {
        let response = Response(
          404, headers: ["Content-Type": type, "Retry-After": "7"], body: Array(body.utf8))
        text += line(
          "404 \(type) \(body.prefix(20).debugDescription)",
          response.failure(for: Request(.get, try URL("https://host/x"))))
      }
    }
    try RecordedText.hold("failures/responses.txt", to: text)
  }

  @Test func ofPostgreSQL() throws {
    var text = ""
    let states: [String?] = [
      nil, "08000", "08001", "08006", "0A000", "22003", "22021", "22P05", "23502", "23505", "25006", "26000",
      "28000",
      "28P01", "3D000", "3F000", "40001", "40P01", "42501", "42601", "42P01", "42P05", "53100", "53200",
      "53300",
      "54000", "55P03", "57014", "57P01", "57P02", "57P03", "58030", "XX000",
    ]
    for state in states {
      for isLost in [false, true] where isLost == false || state == nil || state == "57P01" {
        let error = PostgreSQLError(state: state, message: "so it said", isConnectionLost: isLost)
        let marks = [
          error.allowsRepetition ? "transient" : nil, error.isShutdown ? "shutdown" : nil,
          error.concernsHost ? "another host may do" : nil, error.isWrongName ? "wrong name" : nil,
        ]
        let title = "\(state ?? "-")\(isLost ? " lost" : "")"
        text += "\(title): \(marks.compactMap { $0 }.joined(separator: ", "))\n"
        text += line("  running", error.failure("db")) + line("  starting", error.startFailure("db"))
      }
    }
    let messages = [
      "server certificate for \"a\" does not match host name \"b\"", "root certificate file does not exist",
      "unsupported startup parameter: options", "invalid connection option \"x\"",
      "session is read-only\nEither this\n\tor that", "server is in hot standby mode",
      "could not connect\n\tIs the server running?\r\ntwice", "",
    ]
    for message in messages {
      let error = PostgreSQLError(state: nil, message: message, isConnectionLost: true)
      text += line("starting, \(message.debugDescription)", error.startFailure("db"))
    }
    try RecordedText.hold("failures/postgresql.txt", to: text)
  }
}
