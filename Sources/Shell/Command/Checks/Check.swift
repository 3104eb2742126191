import HTTP
import JSON
import System

/// Check of `hw check`: a request, and how the suite's client reads its response. A suite declares its API contract
/// as a list of checks. Checks only read.
public struct Check: Sendable {
  /// Subject of the check, as a phrase: `the ranking by age`.
  public let title: String
  private(set) var path: @Sendable (_ responses: [String: JSON]) throws(Failure) -> URL.Path?
  let query: URL.Query
  public let status: Int
  public let mediaType: String?
  public let read: Read?
  /// Other responses that the service may send at any time: a warning, not a failure.
  public let tolerated: [ToleratedResponse]
  /// Check whose response the path requires, and the path that `--explain` shows without it.
  private(set) var dependency: (title: String, path: String)?

  public typealias Read = @Sendable (JSON) throws(Failure) -> Void

  public init(
    _ title: String, _ path: URL.Path, _ query: URL.Query = [:], status: Int = 200,
    type mediaType: String? = "application/json", tolerated: [ToleratedResponse] = [], read: Read?
  ) {
    self.title = title
    self.path = { _ in path }
    self.query = query
    self.status = status
    self.mediaType = mediaType
    self.tolerated = tolerated
    self.read = read
  }

  /// Request with a value of an earlier response, such as an id or a cursor. `explained` is the path for `--explain`.
  /// If `path` returns nil, because a list is empty, the check is skipped.
  public init(
    _ title: String, after earlier: Check, explained: String,
    _ path: @escaping @Sendable (JSON) throws(Failure) -> URL.Path?, read: @escaping Read
  ) {
    self.init(title, "", read: read)
    let name = earlier.title
    dependency = (name, explained)
    self.path = { responses throws(Failure) in
      guard let json = responses[name] else {
        throw Failure(.invalidData, "there was no response for \(name)")
      }
      return try path(json)
    }
  }

  public struct ToleratedResponse: Sendable {
    let status: Int
    let reason: String
    let read: Read?

    public init(_ status: Int, _ reason: String, read: Read? = nil) {
      self.status = status
      self.reason = reason
      self.read = read
    }

    public func applies(to response: Response) -> Bool {
      guard response.status == status else { return false }
      guard let read else { return true }
      return (try? read(JSON.parse(response.body))) != nil
    }
  }
}

public struct CheckOutcome: Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case ok
    case warn
    case fail = "FAIL"
    /// No response to compare: no connection, or the rate limit is reached.
    case down
    /// No request: the service requires a secret that is not set, or the list that has its id is empty.
    case skip
  }

  public var suite: String
  public var title: String
  public var status: Status
  /// Request and status: `GET https://… 200`.
  public var detail: String
  public var findings: [String]
  public var milliseconds: Int
  public var failure: Failure?

  public init(
    _ suite: String, _ title: String, _ status: Status, detail: String = "", findings: [String] = [],
    milliseconds: Int = 0
  ) {
    self.suite = suite
    self.title = title
    self.status = status
    self.detail = detail
    self.findings = findings
    self.milliseconds = milliseconds
  }
}

public struct CheckRun {
  let suite: String
  let endpoint: Endpoint
  let time: any TimeKeeper
  let missingSecret: String?

  public init(
    _ suite: String, _ endpoint: Endpoint, _ time: any TimeKeeper, missingSecret: String? = nil
  ) {
    self.missingSecret = missingSecret
    self.suite = suite
    self.endpoint = endpoint
    self.time = time
  }

  /// Outcomes in order. Without a connection or at the rate limit, the remaining checks are not run: each would take
  /// as long again. A local failure is thrown.
  public func outcomes(of checks: [Check]) throws(Failure) -> [CheckOutcome] {
    var responses: [String: JSON] = [:]
    var outcomes: [CheckOutcome] = []
    for check in checks {
      // Without the secret all other requests would be refused, too.
      if let last = outcomes.last, last.status == .skip, last.failure != nil { break }
      if outcomes.last?.status == .down {
        outcomes.append(CheckOutcome(suite, check.title, .down, findings: ["no request was sent"]))
      } else {
        var outcome = try self.outcome(of: check, next: explained(after: check, checks), &responses)
        let earlier = outcomes.first { $0.title == check.dependency?.title }?.failure
        // A check that requires the response to a refused request has failed for the same reason.
        if outcome.failure != nil, earlier?.kind == .unauthorized { outcome.failure = earlier }
        outcomes.append(outcome)
      }
    }
    return outcomes
  }

  /// Requests that require the response of this check, for `--explain`.
  private func explained(after check: Check, _ checks: [Check]) -> String? {
    let paths = checks.compactMap { $0.dependency?.title == check.title ? $0.dependency?.path : nil }
    let base = endpoint.base.withoutTrailingSlash.path
    return paths.isEmpty ? nil : paths.map { "GET \(base)\($0)" }.joined(separator: ", ")
  }

  private func outcome(
    of check: Check, next: String?, _ responses: inout [String: JSON]
  ) throws(Failure) -> CheckOutcome {
    var outcome = CheckOutcome(suite, check.title, .ok)
    let start = time.uptime()
    do throws(Failure) {
      guard let path = try check.path(responses) else {
        outcome.status = .skip
        outcome.findings = ["the list is empty"]
        return outcome
      }
      // A cached response would prove nothing.
      var request = endpoint.request(.get, path, check.query, headers: ["Cache-Control": "no-store"])
      // The expected status is a result, even if it is an error.
      request.meaningfulErrors = [MeaningfulError(check.status)]
      request.next = next
      let response = try endpoint.send(request)
      outcome.milliseconds = Int(((time.uptime() - start) / .milliseconds(1)).rounded())
      outcome.detail = "GET \(Secrets.shown(address: request.url.description)) \(response.status)"
      if let missingSecret, response.status == 401, check.status != 401 {
        outcome.status = .skip
        outcome.findings = [missingSecret]
        outcome.failure = response.failure(for: request)
        return outcome
      }
      if response.status != check.status,
        let tolerated = check.tolerated.first(where: { $0.applies(to: response.response) })
      {
        outcome.findings = ["returned \(response.status): \(tolerated.reason)"]
        outcome.status = .warn
        return outcome
      }
      if [401, 429].contains(response.status), check.status != response.status {
        throw response.failure(for: request)
      }
      outcome.add(check.faults(of: response.response, &responses), .fail)
      outcome.add(check.warnings(about: response.response), .warn)
    } catch {
      // `--explain` printed the request instead of sending it, and prints the next ones, too.
      guard error.cause != .explained else { return outcome }
      switch error.kind {
      case .usage, .storage, .defect, .interrupted, .closedPipe: throw error
      case .connection, .rateLimited: outcome.status = .down
      default: outcome.status = .fail
      }
      outcome.failure = error
      outcome.findings = [error.message]
    }
    return outcome
  }
}

extension Check {
  fileprivate func faults(of response: Response, _ responses: inout [String: JSON]) -> [String] {
    guard response.status == status else { return ["expected status \(status), got \(response.status)"] }
    guard let read else { return [] }
    do throws(Failure) {
      let json = try JSON.parse(response.body)
      responses[title] = json
      try read(json)
      return []
    } catch {
      return [error.message]
    }
  }

  fileprivate func warnings(about response: Response) -> [String] {
    guard let mediaType, response.mediaType != mediaType else { return [] }
    return ["Content-Type: expected \(mediaType), got \(response.mediaType ?? "none")"]
  }
}

extension CheckOutcome {
  fileprivate mutating func add(_ found: [String], _ status: Status) {
    findings += found
    if self.status == .ok, !found.isEmpty { self.status = status }
  }
}
