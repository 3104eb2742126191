import JSON
import System
import Terminal

/// A failure as it stands on standard error: a sentence and a hint for people, one JSON line where the answer would
/// have been JSON.
public enum FailureReport {
  public static func text(_ failure: Failure) -> String {
    let failure = failure.terminalSafe
    let hint = (failure.hint ?? "").split(separator: "\n").map { "    \($0)\n" }.joined()
    return "hw: \(failure.message)\n\(hint)"
  }

  public static func json(_ failure: Failure) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("error")
    writer.beginObject()
    writer.member("kind", failure.kind.rawValue)
    writer.member("exitCode", Int64(failure.kind.exitCode))
    writer.member("message", failure.message)
    writer.key("hint")
    if let hint = failure.hint { writer.string(hint) } else { writer.null() }
    writer.member("retryable", failure.retryable)
    for detail in failure.details {
      writer.key(detail.name)
      switch detail.value {
      case .integer(let number): writer.integer(Int64(number))
      case .text(let text): writer.string(text)
      case .list(let texts):
        writer.beginArray()
        for text in texts { writer.string(text) }
        writer.endArray()
      }
    }
    writer.endObject()
    writer.endObject()
    writer.newline()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Failure {
  /// The failure without control and invisible characters: a message can quote what a service sent. Only line feeds of
  /// the hint stay.
  fileprivate var terminalSafe: Failure {
    var failure = self
    failure.message = message.terminalSafe
    failure.hint = hint?.split(separator: "\n").map { String($0).terminalSafe }.joined(separator: "\n")
    return failure
  }
}
