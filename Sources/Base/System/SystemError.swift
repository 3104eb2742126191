// The C library, for this module and all that import it.
@_exported import Glibc

/// An `errno`, kept from the moment it was set.
public struct SystemError: Error, Equatable, Sendable {
  public let number: Int32

  public init(_ number: Int32) {
    self.number = number
  }

  /// The C library's sentence in hw's manner: lower case, no full stop.
  public var text: String {
    guard let message = unsafe strerror(number) else { return "error \(number)" }
    let sentence = unsafe String(cString: message)
    return sentence.prefix(1).lowercased() + sentence.dropFirst()
  }

  /// The failure of a file operation on `subject`; `interrupted` if a signal ended it.
  public func failure(_ action: String, _ subject: String) -> Failure {
    failure(orElse: Failure(.storage, "cannot \(action) '\(subject)': \(text)"))
  }

  /// `interrupted` if a signal ended the call, any other error as the failure given.
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

/// Runs one system call: again when a signal broke it off, and with `errno` as an error when it failed.
///
/// A pending interruption (SIGINT, SIGTERM, SIGHUP) is the exception: it ends the call for good with
/// `SystemError.interrupted`, so that a program that waits in a call still stops on a signal.
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
