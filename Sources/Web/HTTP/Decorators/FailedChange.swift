import System

/// What a change that failed has left behind.
extension Failure {
  /// The same failure with the state that it leaves, and what to do next.
  public func prefixing(_ state: String, hint: String? = nil) -> Failure {
    cause == .explained ? self : describing("\(state): \(message)", hint: hint ?? self.hint)
  }

  /// The same failure with what was found out after it, and what to do next.
  public func appending(_ finding: String, hint: String?) -> Failure {
    describing("\(message); \(finding)", hint: hint)
  }

  /// Replaces message and hint. An interruption then has something to report.
  public func describing(_ message: String, hint: String?) -> Failure {
    var failure = self
    failure.message = message
    failure.hint = hint
    if cause == .signal { failure.cause = nil }
    return failure
  }

  /// The same failure. An interruption prints no message of its own, so what it may have left is reported here.
  public func reportingInterruption(_ report: (Failure) -> Void) -> Failure {
    guard kind == .interrupted, cause != .explained, cause != .signal else { return self }
    report(self)
    return self
  }

  /// In one line, as a message beside the result.
  public var asMessage: String { [message, hint].compactMap { $0 }.joined(separator: "; ") }
}
