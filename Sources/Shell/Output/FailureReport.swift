import JSON
import System

/// Report of a failure on standard error: a sentence and a hint, or one line of JSON.
public enum FailureReport {
  public static func text(_ failure: Failure) -> String {
    // A quoted service may have sent control and invisible characters.
    let hint = (failure.hint ?? "").split(separator: "\n").map { "    \(String($0).terminalSafe)\n" }.joined()
    return "hw: \(failure.message.terminalSafe)\n\(hint)"
  }

  /// Schema of `json`. Some failures have more members, such as `retryAfter` and `captchaUrl`.
  public static var schema: Schema {
    let kinds = Failure.Kind.allCases.map(\.rawValue)
    return Schema(
      title: "hw errors", description: "The report of a failure; some have further members",
      columns: [
        Column("error.kind", title: "Kind", meaning: "the kind of failure", type: .choice(kinds)),
        Column("error.exitCode", title: "Status", meaning: "the exit status", type: .integer),
        Column("error.message", title: "Message", meaning: "what failed", type: .text),
        Column("error.hint", title: "Hint", meaning: "what to do", type: .text, isOptional: true),
        Column("error.retryable", title: "Retryable", meaning: "a retry may succeed", type: .flag),
      ], version: 1)
  }

  public static func json(_ failure: Failure) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.object("error") { writer in
        writer.member("kind", failure.kind.rawValue)
        writer.member("exitCode", Int64(failure.exitStatus))
        writer.member("message", failure.message)
        writer.member("hint", failure.hint)
        writer.member("retryable", failure.retryable)
        for detail in failure.details {
          switch detail.value {
          case .integer(let number): writer.member(detail.name, Int64(number))
          case .text(let text): writer.member(detail.name, text)
          case .list(let texts): writer.array(detail.name) { for text in texts { $0.string(text) } }
          }
        }
      }
    }
    writer.newline()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
