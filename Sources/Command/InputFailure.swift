import System

extension Failure {
  /// Bad JSON on standard input or in a file is the caller's, not a service's.
  public var asInput: Failure {
    guard kind == .invalidData else { return self }
    var failure = self
    failure.kind = .usage
    return failure
  }
}
