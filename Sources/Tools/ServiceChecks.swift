import Command
import HTTP
import Output
import System

struct ServiceChecks {
  private let context: Context
  private let suites: [Suite]

  /// Selects all services if `names` is empty.
  init(_ names: [String], _ context: Context) throws(Failure) {
    self.context = context
    let checked = context.program.servedSuites.filter { !$0.checks.isEmpty }
    var suites: [Suite] = []
    for name in names {
      guard let suite = checked.first(where: { $0.name == name }) else {
        throw Failure(
          .usage, "'\(name)' is not a suite with a service",
          hint: Suggestion.phrase(for: name, among: checked.map(\.name))
            ?? "suites: \(checked.map(\.name).joined(separator: ", "))")
      }
      suites.append(suite)
    }
    self.suites = names.isEmpty ? checked : suites
  }

  private static func outcomes(of suite: Suite, _ context: Context) throws(Failure) -> [CheckOutcome] {
    guard let service = suite.service else { return [] }
    do throws(Failure) {
      let context = try context.forSuite(suite.name)
      let endpoint = try context.endpoint(service, limit: context.ownLimit(of: service))
      // `missingSecret` does not consider HW_TOKEN. A refused token is a failure, not a missing secret.
      let isSent = service.credential.map { endpoint.headers[$0.header] != nil } ?? false
      let missing = isSent ? nil : try context.missingSecret(of: service)
      let run = CheckRun(suite.name, endpoint, context.time, missingSecret: missing)
      return try run.outcomes(of: suite.checks(at: endpoint.base))
    } catch {
      if error.kind == .unauthorized, let missing = try context.missingSecret(of: service) {
        return [CheckOutcome(suite.name, "the service", .skip, findings: [missing])]
      }
      // A wrong address or an unreadable key file does not violate the service's contract.
      throw error
    }
  }

  private typealias SuiteResult = Result<[CheckOutcome], Failure>

  /// Calls `show` with the outcomes, suite by suite in the order of the command line.
  func run(_ show: (CheckOutcome) throws(Failure) -> Void) throws(Failure) {
    guard !context.isExplaining else {
      for suite in suites { _ = try ServiceChecks.outcomes(of: suite, context) }
      return
    }
    var threads: [BackgroundWork<Suite, SuiteResult>] = []
    let makeContext = context.makeForOtherThreads
    for suite in suites {
      let thread = try BackgroundWork { (suite: Suite) in
        SuiteResult { () throws(Failure) in try ServiceChecks.outcomes(of: suite, makeContext()) }
      }
      thread.submit(suite)
      threads.append(thread)
    }
    for thread in threads {
      for outcome in try context.outcome(of: thread, for: "the checks").get() { try show(outcome) }
      try context.output.outlet.flush()
    }
  }
}
