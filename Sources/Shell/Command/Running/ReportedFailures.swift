import HTTP
import Output
import Synchronization
import System
import Terminal

/// Failures of single operands, reported at once. The first determines the exit status.
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

  var status: ExitStatus? { first.withLock { $0 }.map { ExitStatus($0.exitCode) } }
}

extension Context {
  /// Performs the work of one of `count` operands. Reports a failure and returns nil if there are other operands.
  public func attempt<Result>(
    oneOf count: Int, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    do throws(Failure) {
      return try body()
    } catch let error where error.cause == .explained {
      return nil
    } catch {
      guard count > 1, !error.endsEverything else { throw error }
      // The output so far precedes the report. If it cannot be written, that is a second failure.
      defer { failures.report(withTypedOptions(error)) }
      try output.outlet.flush()
      return nil
    }
  }

  /// Sends a request on whose response no later request depends; nil under `--explain`, so the command continues.
  @discardableResult
  public func response<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result? {
    do throws(Failure) {
      return try body()
    } catch let error where error.cause == .explained {
      return nil
    }
  }

  /// Performs a change, and reports its possible effect if it is interrupted.
  public func reportingInterruption<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      return try body()
    } catch {
      throw error.reportingInterruption(reportInterruption)
    }
  }

  /// Reports the effects of an interruption, in JSON formats as an error. No other code reports interruptions.
  public func reportInterruption(_ failure: Failure) {
    let failure = withTypedOptions(failure)
    guard let format = output.settings.format, format.isJSON else {
      return messages.report(failure.messageAndHint)
    }
    // Nothing can be reported if standard error cannot be written.
    try? host.errors.write(FailureReport.json(failure))
  }
}

extension Failure {
  var endsEverything: Bool { kind == .interrupted || kind == .closedPipe || kind == .defect }

  /// Whether a repeated request may succeed: for a screen or a watch, which keeps the last result meanwhile.
  public var mayEndByItself: Bool {
    switch kind {
    case .connection, .invalidData, .rateLimited: true
    default: false
    }
  }
}

extension ErrorStream {
  func report(_ failure: Failure, asJSON: Bool) {
    guard failure.kind != .closedPipe, failure.kind != .interrupted else { return }
    // Nothing can be reported if standard error cannot be written.
    try? write(asJSON ? FailureReport.json(failure) : FailureReport.text(failure))
  }
}

extension Context {
  /// Writes a row for each operand as soon as it is made; `-` reads operands from standard input, one per line. Of
  /// several operands, a failing one is reported and the others are processed.
  public func writeEach<R: Row>(
    _ operands: [String], _ row: (String) throws(Failure) -> R
  ) throws(Failure) {
    let count = operands.contains("-") ? Int.max : operands.count
    try output.write(each: R.self) { rows throws(Failure) in
      func write(_ operand: String) throws(Failure) {
        let made = try attempt(oneOf: count) { () throws(Failure) in try row(operand) }
        if let made { try rows.write(made) }
      }
      for operand in operands {
        guard operand == "-" else {
          try write(operand)
          continue
        }
        var lines = LineReader(input)
        while let line = try lines.nextText() {
          if !line.trimmed.isEmpty { try write(line.trimmed) }
        }
      }
    }
  }
}
