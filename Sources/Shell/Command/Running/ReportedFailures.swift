import HTTP
import Output
import Synchronization
import System
import Terminal

/// The failures after which a command went on with its other operands. Each is reported when it occurs; the first
/// determines the exit status.
public final class ReportedFailures: Sendable {
  private let errors: ErrorStream
  private let asJSON: Bool
  private let first = Mutex<Failure.Kind?>(nil)

  init(_ errors: ErrorStream, asJSON: Bool) {
    self.errors = errors
    self.asJSON = asJSON
  }

  public func report(_ failure: Failure) {
    errors.report(failure, asJSON: asJSON)
    first.withLock { $0 = $0 ?? failure.kind }
  }

  /// Status of the first failure; nil if there was none.
  var status: ExitStatus? { first.withLock { $0 }.map { ExitStatus($0.exitCode) } }
}

extension Context {
  /// Performs the work of one operand of `count`. If it fails and there are others, that is reported, the result is nil,
  /// and the command can go on with the next.
  public func attempt<Result>(
    oneOf count: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    do throws(Failure) {
      return try body()
    } catch let error where error.cause == .explained {
      return nil
    } catch {
      guard count > 1, !error.endsEverything else { throw error }
      // What was written before the failure comes before its report. If it cannot be written, that is a second failure.
      defer { failures.report(completed(error)) }
      try output.outlet.flush()
      return nil
    }
  }
}

extension Context {
  /// Sends a request on whose response no later request depends. Under `--explain` there is none: the result is nil, and
  /// the command goes on to its next request.
  @discardableResult
  public func response<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
    do throws(Failure) {
      return try body()
    } catch let error where error.cause == .explained {
      return nil
    }
  }
}

extension Context {
  /// Reports what an interruption leaves behind, or how to go on after it: as an error under JSON formats, otherwise as a
  /// message. Nothing else reports an interruption.
  public func reportInterruption(_ failure: Failure) {
    let failure = completed(failure)
    guard let format = output.settings.format, format.isJSON else {
      return messages.report(failure.asMessage)
    }
    // A standard error that cannot be written leaves no place for a report.
    try? host.errors.write(FailureReport.json(failure))
  }
}

extension Failure {
  /// There is no sense in going on.
  var endsEverything: Bool {
    kind == .interrupted || kind == .closedPipe || kind == .defect
  }
}

extension ErrorStream {
  /// Writes the report of a failure, for people or for programs.
  func report(_ failure: Failure, asJSON: Bool) {
    guard failure.kind != .closedPipe, failure.kind != .interrupted else { return }
    // A standard error that cannot be written leaves no place for a report.
    try? write(asJSON ? FailureReport.json(failure) : FailureReport.text(failure))
  }
}
