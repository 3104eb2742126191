@_exported import Glibc

/// Value of `errno` after a failed system call.
public struct SystemError: Error, Equatable, Sendable {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// Message of the C library in hw's style: lower case, no full stop.
  public var text: String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    let sentence = unsafe String(cString: message)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }

  /// Failure of an operation on the file `subject`; `interrupted` if a signal ended it.
  public func failure(_ action: String, _ subject: String) -> Failure {
    failure(orElse: Failure(.storage, "cannot \(action) '\(subject)': \(text)"))
  }

  /// Returns the given failure; `interrupted` if a signal ended the call.
  public func failure(orElse failure: @autoclosure () -> Failure) -> Failure {
    self == .interrupted ? Interruption.failure : failure()
  }

  public static var wouldBlock: SystemError { SystemError(EAGAIN) }
  public static var brokenPipe: SystemError { SystemError(EPIPE) }
  public static var noSuchFile: SystemError { SystemError(ENOENT) }
  public static var notPermitted: SystemError { SystemError(EACCES) }
  public static var fileExists: SystemError { SystemError(EEXIST) }
  public static var interrupted: SystemError { SystemError(EINTR) }
}

/// Performs an operation on the file `subject`. Its system error becomes a failure.
public func operation<Result>(
  _ action: String, _ subject: String, _ body: () throws(SystemError) -> Result
) throws(Failure) -> Result {
  do throws(SystemError) { return try body() } catch { throw error.failure(action, subject) }
}

/// Runs a system call, again after a signal, and throws its `errno`; after a signal to stop, `interrupted`.
@discardableResult
func call<Result: FixedWidthInteger & SignedInteger>(
  _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result != -1 { return result }
    let number = errno
    guard number == EINTR else { throw SystemError(number) }
    guard Interruption.pending == nil else { throw .interrupted }
  }
}
