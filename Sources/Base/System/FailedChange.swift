extension Failure {
  /// Adds the state that a failed change has left, and the next step.
  public func prefixing(_ state: String, hint: String? = nil) -> Failure {
    cause == .explained ? self : describing("\(state): \(message)", hint: hint ?? self.hint)
  }

  /// Adds a later finding about a failed change, and the next step.
  public func appending(_ finding: String, hint: String?) -> Failure {
    describing("\(message); \(finding)", hint: hint)
  }

  /// Passes to `report` an interruption that describes a change; a mere signal has nothing to report.
  public func reportingInterruption(_ report: (Failure) -> Void) -> Failure {
    guard kind == .interrupted, cause != .explained, cause != .signal else { return self }
    report(self)
    return self
  }
}
