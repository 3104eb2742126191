import System

/// What was reported to the user, line by line: pass `add` where a report is expected.
public final class RecordedMessages {
  public private(set) var lines: [String] = []

  public init() {}

  public func add(_ line: String) { lines.append(line) }
}

/// The failure that `body` ends with, or nil.
public func failure(_ body: () throws -> some Any) -> Failure? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? Failure
  }
}

extension Failure {
  /// All of it on one line, for texts that are recorded.
  public var described: String {
    var words = ["\(kind): \(message)"]
    if let hint { words.append("hint: \(hint)") }
    if retryable { words.append("retryable") }
    if outcomeUnknown { words.append("outcome unknown") }
    words += details.map { "\($0.name) \($0.value)" }
    if case .storage(let problem, let isRolledBack) = cause {
      if let problem { words.append("\(problem)") }
      if isRolledBack { words.append("rolled back") }
    }
    return words.joined(separator: "; ")
  }
}
