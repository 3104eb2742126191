import HTTP
import JSON
import System

/// Check of `hw check`: a request and the contract of its response. A suite declares its API contract as a list of
/// checks. Checks only read.
public struct Check: Sendable {
  /// Subject of the check, as a phrase: `the ranking by age`.
  public let title: String
  let path: @Sendable (Responses) throws(Failure) -> URL.Path
  let query: URL.Query
  public let status: Int
  /// Expected media type; nil accepts any.
  public let mediaType: String?
  /// Expected JSON; nil for a response that is not JSON.
  public let shape: Contract?
  /// Other responses that the service may send at any time: a warning, not a fault.
  public let tolerated: [ToleratedResponse]
  /// The check whose response the path requires, and how `--explain` describes the path without it.
  let dependency: (title: String, path: String)?

  public init(
    _ title: String, _ path: URL.Path, _ query: URL.Query = [:], status: Int = 200,
    type mediaType: String? = "application/json", tolerated: [ToleratedResponse] = [],
    expects shape: Contract?
  ) {
    self.title = title
    self.path = { _ in path }
    dependency = nil
    self.query = query
    self.status = status
    self.mediaType = mediaType
    self.tolerated = tolerated
    self.shape = shape
  }

  /// A request that requires a value from an earlier response: an id, a cursor. `explained` describes its path.
  public init(
    _ title: String, after earlier: Check, explained: String,
    _ path: @escaping @Sendable (JSON) throws(Failure) -> URL.Path,
    _ query: URL.Query = [:], status: Int = 200, type mediaType: String? = "application/json",
    tolerated: [ToleratedResponse] = [], expects shape: Contract?
  ) {
    self.title = title
    let name = earlier.title
    dependency = (name, explained)
    self.path = { responses throws(Failure) in
      guard let json = responses.known[name] else {
        throw Failure(.invalidData, "there was no response for \(name)")
      }
      return try path(json)
    }
    self.query = query
    self.status = status
    self.mediaType = mediaType
    self.tolerated = tolerated
    self.shape = shape
  }

  /// A response with another status than the expected one that the contract allows.
  public struct ToleratedResponse: Sendable {
    let status: Int
    let reason: String
    /// Expected JSON; nil if the status is sufficient.
    let shape: Contract?

    public init(_ status: Int, _ reason: String, expects shape: Contract? = nil) {
      self.status = status
      self.reason = reason
      self.shape = shape
    }

    public func applies(to response: Response) -> Bool {
      guard response.status == status else { return false }
      guard let shape else { return true }
      return (try? JSON.parse(response.body)).map { shape.findings(in: $0).faults == 0 } ?? false
    }
  }

  /// The responses so far, by the title of their check.
  struct Responses {
    fileprivate(set) var known: [String: JSON] = [:]
  }
}

/// The outcome of a check.
public struct CheckOutcome: Sendable {
  public enum Status: String, CaseIterable, Sendable {
    case ok
    case warn
    case fail = "FAIL"
    /// There is no response to compare: no connection, or the rate limit is reached.
    case down
    /// The service requires a secret, and there is none.
    case skip
  }

  public var suite: String
  public var title: String
  public var status: Status
  /// Request and status: `GET https://… 200`.
  public var detail: String
  public var findings: [String]
  public var milliseconds: Int
  /// Why there is no response to compare, if that is known.
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

/// Runs the checks of one service, one after the other.
public struct CheckRun {
  let suite: String
  let endpoint: Endpoint
  let time: any TimeKeeper
  /// Advice about the secret that is not set; nil if it is set or none is required.
  let missingSecret: String?

  public init(
    _ suite: String, _ endpoint: Endpoint, _ time: any TimeKeeper, missingSecret: String? = nil
  ) {
    self.missingSecret = missingSecret
    self.suite = suite
    self.endpoint = endpoint
    self.time = time
  }

  /// The outcome of each, in order. Once there is no connection or the rate limit is reached, the remaining checks are
  /// not run: each would take as long again. A local failure is no outcome and is thrown.
  public func outcomes(of checks: [Check]) throws(Failure) -> [CheckOutcome] {
    var responses = Check.Responses()
    var outcomes: [CheckOutcome] = []
    for check in checks where outcomes.last?.status != .skip {
      if outcomes.last?.status == .down {
        outcomes.append(CheckOutcome(suite, check.title, .down, findings: ["no request was sent"]))
      } else {
        outcomes.append(try outcome(of: check, next: explained(after: check, checks), &responses))
      }
    }
    return outcomes
  }

  /// The requests of the checks that require the response of this one.
  private func explained(after check: Check, _ checks: [Check]) -> String? {
    let paths = checks.compactMap { $0.dependency?.title == check.title ? $0.dependency?.path : nil }
    let base = endpoint.base.withoutTrailingSlash.path
    return paths.isEmpty ? nil : paths.map { "GET \(base)\($0)" }.joined(separator: ", ")
  }

  private func outcome(
    of check: Check, next: String?, _ responses: inout Check.Responses
  ) throws(Failure) -> CheckOutcome {
    var outcome = CheckOutcome(suite, check.title, .ok)
    let start = time.uptime()
    do throws(Failure) {
      // A cached response would prove nothing.
      var request = endpoint.request(
        .get, try check.path(responses), check.query, headers: ["Cache-Control": "no-store"])
      // The expected status is a result, even if it is an error.
      request.meaningfulErrors = [MeaningfulError(check.status)]
      request.next = next
      let response = try endpoint.send(request)
      outcome.milliseconds = Int(((time.uptime() - start) / .milliseconds(1)).rounded())
      outcome.detail = "GET \(Secrets.shown(address: request.url.description)) \(response.status)"
      if let missingSecret, response.status == 401, check.status != 401 {
        outcome.status = .skip
        outcome.findings = [missingSecret]
        return outcome
      }
      var findings: [ContractViolation] = []
      if response.status != check.status,
        let toleratedResponse = check.tolerated.first(where: { $0.applies(to: response) })
      {
        findings.append(
          ContractViolation("", "returned \(response.status): \(toleratedResponse.reason)", .warning))
      } else {
        if [401, 429].contains(response.status), check.status != response.status {
          throw response.failure(for: request)
        }
        findings = check.findings(in: response, &responses)
      }
      outcome.findings = findings.texts
      outcome.status = findings.faults > 0 ? .fail : findings.isEmpty ? .ok : .warn
    } catch {
      // The next is explained as well.
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
  fileprivate func findings(in response: Response, _ responses: inout Responses) -> [ContractViolation] {
    var findings: [ContractViolation] = []
    if response.status != status {
      findings.append(ContractViolation("", "expected status \(status), got \(response.status)"))
    }
    if let mediaType, response.mediaType != mediaType {
      findings.append(
        ContractViolation(
          "Content-Type", "expected \(mediaType), got \(response.mediaType ?? "none")", .warning))
    }
    guard let shape, response.status == status else { return findings }
    do throws(Failure) {
      let json = try JSON.parse(response.body)
      responses.known[title] = json
      return findings + shape.findings(in: json)
    } catch {
      return findings + [ContractViolation("", "expected JSON: \(error.message)")]
    }
  }
}

extension [ContractViolation] {
  /// Sentences, one per finding; a fault in many elements is reported once, with its count.
  fileprivate var texts: [String] {
    var order: [String] = []
    var groups: [String: (first: ContractViolation, count: Int)] = [:]
    for finding in self {
      let key = "\(finding.path.withoutNumbers) \(finding.weight)"
      if groups[key] == nil { order.append(key) }
      groups[key, default: (finding, 0)].count += 1
    }
    return order.compactMap { groups[$0] }.map { group in
      group.count > 1 ? "\(group.first.text) (and \(group.count - 1) more like it)" : group.first.text
    }
  }
}

extension String {
  /// `[3].capacity` and `[4].capacity` are one field.
  fileprivate var withoutNumbers: String { String(filter { !$0.isNumber }) }
}
