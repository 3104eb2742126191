import HTTP
import Store
import System

/// The response to a request, with the failure that caused it and the user who sent the request.
struct Outcome: Sendable {
  var response: Response
  var failure: Failure?
  var user: String?

  init(_ response: Response, _ failure: Failure? = nil, user: String? = nil) {
    self.response = response
    self.failure = failure
    self.user = user
  }
}

/// Calls the handlers of routed requests: in the event loop, on the thread of a worker, or in the process of a command.
///
/// Each request is admitted once. `Database.transaction` repeats a transaction that another one or a lost connection
/// ended, with the same calls.
public final class RequestRunner {
  let backends: [any Backend]
  let routes: [[Route]]
  let access: Access?

  /// Admits every request if `access` is nil.
  public init(_ backends: [any Backend], access: Access? = nil) {
    self.backends = backends
    routes = backends.map(\.routes)
    self.access = access
  }

  enum Result: Sendable {
    case done(Outcome)
    /// Another process has locked the store or the connection was lost, and nothing was changed: the call can run
    /// later. The outcome is for a request that has waited too long.
    case locked(Outcome)

    var outcome: Outcome {
      switch self {
      case .done(let outcome), .locked(let outcome): outcome
      }
    }
  }

  /// The outcome of a request whose handler is not called.
  struct Refusal: Error {
    let outcome: Outcome
  }

  func admit(_ request: RoutedRequest) throws(Refusal) -> Call {
    guard var call = Call(request, routes) else { throw Refusal(outcome: outcomeWithoutRoute(request)) }
    do throws(Failure) {
      let needsToken = routes[call.backend][call.route].needsToken
      try access?.admit(&call, to: backends[call.backend].suite, needsToken: needsToken)
    } catch {
      throw Refusal(outcome: result(of: error, call).outcome)
    }
    return call
  }

  /// Runs a call that changes nothing. Returns nil if its handler has done a part of it and must run again.
  func read(_ call: Call) -> Result? {
    do throws(Failure) {
      return try callHandler(call).map(Result.done)
    } catch {
      return result(of: error, call)
    }
  }

  /// Runs changes of one backend, in one transaction as far as possible. The results are in the order of the calls.
  func change(_ calls: [Call], of backend: Int) -> [Result] {
    if calls.count > 1, let results = changeTogether(calls, backends[backend]) {
      return zip(calls, results).map { call, result in result ?? changeAlone(call, backends[backend]) }
    }
    return calls.map { changeAlone($0, backends[backend]) }
  }

  /// Runs several changes in one transaction, each as a part of it that is undone alone if its handler fails. A result
  /// is nil if another transaction has locked one of its rows: alone, the call can wait for the lock. Returns
  /// nil if a call fails the transaction, so that each must run alone.
  private func changeTogether(_ calls: [Call], _ backend: any Backend) -> [Result?]? {
    var results: [Result?] = []
    do throws(Failure) {
      try transaction(of: backend) { () throws(Failure) in
        results = []
        backend.prepare(calls)
        for call in calls { results.append(try changeAsPart(call, backend)) }
      }
    } catch {
      let hasStoreFailed = error.storageProblem != nil || error.retryable && !error.isRolledBack
      if !hasStoreFailed, !error.outcomeUnknown { return nil }
      return calls.map { uncommitted(error, $0) }
    }
    return results
  }

  /// Runs one change of several; throws if the transaction cannot continue.
  private func changeAsPart(_ call: Call, _ backend: any Backend) throws(Failure) -> Result? {
    var outcome: Outcome?
    do throws(Failure) {
      try backend.transaction { () throws(Failure) in outcome = try callHandler(call) }
    } catch {
      if error.storageProblem == .contended { return nil }
      if error.endsTransaction { throw error }
      return result(of: error, call)
    }
    return outcome.map(Result.done)
  }

  private func changeAlone(_ call: Call, _ backend: any Backend) -> Result {
    var outcome: Outcome?
    var refusal: Result?
    do throws(Failure) {
      try transaction(of: backend) { () throws(Failure) in
        refusal = nil
        do throws(Failure) {
          outcome = try callHandler(call)
        } catch {
          refusal = result(of: error, call)
          throw error
        }
      }
    } catch {
      return refusal ?? uncommitted(error, call)
    }
    return outcome.map(Result.done) ?? result(of: Failure(.defect, "the handler divides a change"), call)
  }

  /// Runs a transaction, and reports the end of each of its runs to the backend.
  private func transaction(of backend: any Backend, _ body: () throws(Failure) -> Void) throws(Failure) {
    var hasRun = false
    do throws(Failure) {
      try backend.transaction { () throws(Failure) in
        if hasRun { backend.transactionEnded(isCommitted: false) }
        hasRun = true
        try body()
      }
    } catch {
      if hasRun { backend.transactionEnded(isCommitted: false) }
      throw error
    }
    backend.transactionEnded(isCommitted: true)
  }

  /// Calls the handler; returns nil if it must be called again.
  private func callHandler(_ call: Call) throws(Failure) -> Outcome? {
    switch try routes[call.backend][call.route].handler(call) {
    case .response(let response): Outcome(response, user: call.caller.user?.name)
    case .refused(let failure): result(of: failure, call).outcome
    case .unfinished: nil
    }
  }

  func turnEnded() {
    access?.turnEnded()
    for backend in backends { backend.turnEnded() }
  }

  func pattern(of request: RoutedRequest) -> String? {
    guard case .found(let backend, let route, _) = request.resolution else { return nil }
    return routes[backend][route].pattern
  }

  /// Maps a failure of the transaction, which the request did not cause, to a 5xx.
  private func uncommitted(_ failure: Failure, _ call: Call) -> Result {
    result(of: failure, call, max(500, ErrorStyle.status(of: failure)))
  }

  private func result(of failure: Failure, _ call: Call, _ status: Int? = nil) -> Result {
    let status = status ?? ErrorStyle.status(of: failure)
    let response = errorResponse(status, failure, backend: call.backend, call.request)
    let outcome = Outcome(response, failure, user: call.caller.user?.name)
    return failure.endsTransaction && !failure.outcomeUnknown ? .locked(outcome) : .done(outcome)
  }

  private func outcomeWithoutRoute(_ routed: RoutedRequest) -> Outcome {
    let request = routed.request
    switch routed.resolution {
    case .wrongMethod(let allowed, let backend):
      let list = RequestRunner.list(allowed)
      if request.method == .options { return Outcome(Response(204, headers: ["Allow": list])) }
      let failure = Failure(
        .usage, "'\(request.path)' does not take \(request.method.rawValue)", hint: "it takes \(list)")
      var response = errorResponse(405, failure, backend: backend, request)
      response.headers["Allow"] = list
      return Outcome(response, failure)
    // `.found` does not occur: its handler is called.
    case .found, .notFound:
      let failure = Failure(.notFound, "no route '\(request.path)'")
      return Outcome(errorResponse(404, failure, backend: routed.backend, request), failure)
    case .wholeServer:
      return Outcome(Response(204, headers: ["Allow": RequestRunner.list(Method.allCases)]))
    }
  }

  /// An error in the form of the backend, or in JSON without a backend.
  func errorResponse(
    _ status: Int, _ failure: Failure, backend: Int?, _ request: ReceivedRequest? = nil
  ) -> Response {
    let style = backend.map { backends[$0].errors } ?? .json
    let prefersJSON = request?.header("Accept")?.contains("application/json") ?? false
    var response = style.response(status, failure, prefersJSON)
    if case .wait(let seconds) = failure.cause { response.headers["Retry-After"] = "\(seconds)" }
    if status == 503 { response.headers["Retry-After"] = "1" }
    if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
    return response
  }

  private static func list(_ methods: [Method]) -> String {
    let all = Set(methods).union([.options]).union(methods.contains(.get) ? [.head] : [])
    return Method.allCases.filter(all.contains).map(\.rawValue).joined(separator: ", ")
  }

  /// Runs a request for which only its caller waits.
  func outcome(of request: RoutedRequest) -> Outcome {
    defer { turnEnded() }
    do throws(Refusal) {
      let call = try admit(request)
      return call.isChange ? change([call], of: call.backend)[0].outcome : wholeOutcome(of: call)
    } catch {
      return error.outcome
    }
  }

  /// Runs a call that changes nothing, however long it takes.
  func wholeOutcome(of call: Call) -> Outcome {
    while true {
      if let result = read(call) { return result.outcome }
      turnEnded()
    }
  }
}

extension Failure {
  /// Whether the transaction cannot continue: another process held a lock or the connection was lost. Nothing was
  /// changed, unless the outcome is unknown.
  fileprivate var endsTransaction: Bool { kind == .storage && retryable }
}
