import Command
import HTTP
import Output
import System

/// The checks of all services, each on its own thread.
struct ServiceChecks {
  private let context: Context
  private let suites: [Suite]

  /// Without names, all services are checked.
  init(_ names: [String], _ context: Context) throws(Failure) {
    self.context = context
    let checked = context.program.services.filter { !$0.checks.isEmpty }
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

  /// The checks of one suite, which run on their own thread with their own endpoint.
  private struct Work: Sendable {
    let suite: Suite

    func outcomes(_ context: Context) -> Result<[CheckOutcome], Failure> {
      Result { () throws(Failure) in
        guard let service = suite.service else { return [] }
        do throws(Failure) {
          let context = try context.forSuite(suite.name)
          let endpoint = try context.endpoint(service, limit: context.ownLimit(of: service))
          let missing = try context.missingSecret(of: service)
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
    }
  }

  /// Calls `show` with the outcomes, suite by suite in the order of the command line.
  func run(_ show: (CheckOutcome) throws(Failure) -> Void) throws(Failure) {
    let all = suites.map { Work(suite: $0) }
    guard !context.isExplaining else {
      for work in all { _ = try work.outcomes(context).get() }
      return
    }
    var threads: [BackgroundWork<Work, Result<[CheckOutcome], Failure>>] = []
    let contextOfThread = context.forOtherThreads
    for work in all {
      let thread = try BackgroundWork { (work: Work) in work.outcomes(contextOfThread()) }
      thread.submit(work)
      threads.append(thread)
    }
    for thread in threads {
      for outcome in try wait(for: thread).get() { try show(outcome) }
      try context.output.outlet.flush()
    }
  }

  private func wait(
    for thread: BackgroundWork<Work, Result<[CheckOutcome], Failure>>
  ) throws(Failure) -> Result<[CheckOutcome], Failure> {
    while true {
      if let answer = thread.next() { return answer }
      do throws(SystemError) {
        _ = try Waiting.forInput([thread.descriptor], atMost: nil)
      } catch {
        throw error.failure(orElse: Failure(.storage, "cannot wait for the checks: \(error.text)"))
      }
    }
  }
}
