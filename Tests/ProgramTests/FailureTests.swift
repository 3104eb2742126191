import System
import TestSupport
import Testing

@testable import Store

/// What is said of every error of a database, and what a program is told.
@Suite struct FailureTables {
  private func line(_ title: String, _ failure: Failure) -> String {
    let marks = [failure.retryable ? "retryable" : nil, failure.outcomeUnknown ? "outcome unknown" : nil]
    let details = failure.details.map { "\($0.name)=\($0.value)" }
    let causes = failure.storageProblem.map { ["\($0)"] } ?? []
    let facts = ([failure.kind.rawValue] + marks.compactMap { $0 } + details + causes).joined(separator: ", ")
    return "\(title): \(facts)\n  \(failure.message)\n" + (failure.hint.map { "  | \($0)\n" } ?? "")
  }

  @Test func postgreSQLFailuresAreAsRecorded() throws {
    var text = ""
    let states: [String?] = [
      nil, "08000", "08001", "08006", "0A000", "22003", "22021", "22P05", "23502", "23505", "25006", "26000",
      "28000", "28P01", "3D000", "3F000", "40001", "40P01", "42501", "42601", "42P01", "42P05", "53100",
      "53200", "53300", "54000", "55P03", "57014", "57P01", "57P02", "57P03", "58030", "XX000",
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
