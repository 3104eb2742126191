import HTTP
import Store
import System

/// The response to a request, and what a log says about it.
struct Outcome: Sendable {
  var response: Response
  /// The failure behind the response.
  var failure: Failure?
  /// The name of the user who sent the request.
  var user: String?

  init(_ response: Response, _ failure: Failure? = nil, user: String? = nil) {
    self.response = response
    self.failure = failure
    self.user = user
  }
}

/// Calls the handlers of requests whose routes are found: in the event loop, on the thread of a worker, or in the process
/// of a command.
///
/// Each request is admitted once. What has to be repeated after a conflict or a lost connection is repeated by the
/// database (`Database.transaction`), with the same calls.
public final class RequestRunner {
  let backends: [any Backend]
  let routes: [[Route]]
  let access: Access?

  /// Every request is admitted without `access`.
  public init(_ backends: [any Backend], access: Access? = nil) {
    self.backends = backends
    routes = backends.map(\.routes)
    self.access = access
  }

  /// The result of a run.
  enum Result: Sendable {
    case done(Outcome)
    /// Another process has locked the store, so nothing was changed: the call can run when the lock is gone. The outcome
    /// is for a request that has waited too long.
    case locked(Outcome)

    var outcome: Outcome {
      switch self {
      case .done(let outcome), .locked(let outcome): outcome
      }
    }
  }

  /// The end of a request whose handler is not called.
  struct Refusal: Error {
    let outcome: Outcome
  }

  /// Finds the caller of a request, once.
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

  /// Runs a call that changes nothing. The result is nil if the handler has done a part of it: then it runs again after
  /// others.
  func read(_ call: inout Call) -> Result? {
    do throws(Failure) {
      let reply = try routes[call.backend][call.route].handler(call)
      if case .unfinished(let progress) = reply { call.progress = progress }
      return outcome(reply, of: call).map(Result.done)
    } catch {
      return result(of: error, call)
    }
  }

  /// Runs changes of one backend, in one transaction as far as that is possible. The results are in the order of the
  /// calls.
  func change(_ calls: [Call], of backend: Int) -> [Result] {
    if calls.count > 1, let results = changeTogether(calls, backends[backend]) {
      return zip(calls, results).map { call, result in result ?? changeAlone(call, backends[backend]) }
    }
    return calls.map { changeAlone($0, backends[backend]) }
  }

  /// Runs several changes in one transaction, each as a part of it that is undone alone if its handler fails. A call
  /// without a result met a row that another transaction has locked; it needs a transaction of its own, which can wait.
  /// So does each of the calls if the result is nil: one of them fails the transaction.
  private func changeTogether(_ calls: [Call], _ backend: any Backend) -> [Result?]? {
    var results: [Result?] = []
    do throws(Failure) {
      try transaction(of: backend) { () throws(Failure) in
        results = []
        backend.prepare(calls)
        for call in calls { results.append(try part(call, backend)) }
      }
    } catch {
      let isFailureOfOne = error.storageProblem == nil && (error.isRolledBack || !error.retryable)
      guard error.outcomeUnknown || !isFailureOfOne else { return nil }
      return calls.map { uncommitted(error, $0) }
    }
    return results
  }

  /// Throws if the transaction cannot go on.
  private func part(_ call: Call, _ backend: any Backend) throws(Failure) -> Result? {
    var outcome: Outcome?
    do throws(Failure) {
      try backend.transaction { () throws(Failure) in outcome = try self.outcome(of: call) }
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
          outcome = try self.outcome(of: call)
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

  /// Runs a transaction, and tells the backend how each of its runs ended.
  private func transaction(
    of backend: any Backend, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
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

  /// The outcome of the handler; nil if it is to be called again.
  private func outcome(of call: Call) throws(Failure) -> Outcome? {
    outcome(try routes[call.backend][call.route].handler(call), of: call)
  }

  private func outcome(_ reply: Reply, of call: Call) -> Outcome? {
    switch reply {
    case .response(let response): Outcome(response, user: call.caller.user?.name)
    case .refused(let failure): result(of: failure, call).outcome
    case .unfinished: nil
    }
  }

  /// Called at the end of each turn of the event loop, or of each batch of a worker.
  func turnEnded() {
    access?.turnEnded()
    for backend in backends { backend.turnEnded() }
  }

  /// The pattern of the request's route; nil without one.
  func pattern(of request: RoutedRequest) -> String? {
    guard case .found(let backend, let route, _) = request.resolution else { return nil }
    return routes[backend][route].pattern
  }

  // MARK: Errors

  /// A failure of the transaction is no fault of the request.
  private func uncommitted(_ failure: Failure, _ call: Call) -> Result {
    result(of: failure, call, max(500, ErrorStyle.status(of: failure)))
  }

  private func result(of failure: Failure, _ call: Call, _ status: Int? = nil) -> Result {
    let status = status ?? ErrorStyle.status(of: failure)
    let response = errorResponse(status, failure, backend: call.backend, call.request)
    let outcome = Outcome(response, failure, user: call.caller.user?.name)
    return failure.endsTransaction && !failure.outcomeUnknown ? .locked(outcome) : .done(outcome)
  }

  /// The response to a request that no route takes.
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
    case .found, .notFound:
      let failure = Failure(.notFound, "no route '\(request.path)'")
      return Outcome(errorResponse(404, failure, backend: routed.backend, request), failure)
    case .wholeServer:
      return Outcome(Response(204, headers: ["Allow": RequestRunner.list(Method.allCases)]))
    }
  }

  /// An error in the form of the backend, or in JSON without one.
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
}

extension Failure {
  /// The transaction in which it happened cannot go on: the store could not be used at that moment, since another process
  /// held a lock or the connection was lost. Nothing was changed, unless the outcome is unknown.
  fileprivate var endsTransaction: Bool { kind == .storage && retryable }
}
