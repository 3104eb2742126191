import System

/// State that a failed change has left behind.
extension Failure {
  /// Returns the failure with the state that it leaves, and the next step.
  public func prefixing(_ state: String, hint: String? = nil) -> Failure {
    cause == .explained ? self : describing("\(state): \(message)", hint: hint ?? self.hint)
  }

  /// Returns the failure with a later finding, and the next step.
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

  /// Returns the failure itself. An interruption prints no message of its own, so its possible effect is reported
  /// here.
  public func reportingInterruption(_ report: (Failure) -> Void) -> Failure {
    guard kind == .interrupted, cause != .explained, cause != .signal else { return self }
    report(self)
    return self
  }

  /// In one line, as a message beside the result.
  public var asMessage: String { [message, hint].compactMap { $0 }.joined(separator: "; ") }
}
