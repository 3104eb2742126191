import JSON
import System

/// A response with any status, and how it reached the client. Only the lack of a response is a failure.
@dynamicMemberLookup
public struct ReceivedResponse: Sendable {
  public var response: Response
  /// Number of times the request was sent. An earlier attempt, whose response was lost, may have been executed.
  public var attempts = 1
  var isCached = false
  /// Whether the response is from a recording, which may be of another host than the request's.
  var isRecorded = false
  /// The wait that the service requested, if it is longer than the user allows.
  var refusedWait: RefusedWait?

  struct RefusedWait {
    let length: Duration
    let bound: Bound
  }

  /// The setting that allows a longer wait. The raw value precedes the number of seconds in a hint.
  enum Bound: String {
    case setting = "HW_MAX_WAIT="
    case deadline = "--deadline "
  }

  /// Largest body that hw accepts from a service: far above any response it requests, so that memory is bounded.
  static let sizeLimit = 64 << 20

  public init(_ response: Response) { self.response = response }

  public subscript<Value>(dynamicMember member: KeyPath<Response, Value>) -> Value {
    response[keyPath: member]
  }

  public subscript<Value>(dynamicMember member: WritableKeyPath<Response, Value>) -> Value {
    get { response[keyPath: member] }
    set { response[keyPath: member] = newValue }
  }
}

extension ReceivedResponse {
  /// Returns the bytes of a response that must be JSON. Detects a proxy's page and an empty body, so that the failure
  /// describes it and not the byte at which a parser failed. Ignores the declared type: services send JSON as any type.
  public func json(for request: Request) throws(Failure) -> [UInt8] {
    if !response.isSuccess { throw failure(for: request) }
    let reason: String
    if firstByte == nil {
      reason = "nothing (status \(response.status))"
    } else if isMarkup {
      reason = title.map { "HTML: \($0)" } ?? "HTML"
    } else {
      return response.body
    }
    throw Failure(
      .invalidData, "'\(request.summary)': expected JSON, got \(reason)",
      hint: "check that the address is that of the service")
  }

  var isMarkup: Bool { firstByte == UInt8(ascii: "<") }

  private var firstByte: UInt8? {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let hasMark = response.body.starts(with: byteOrderMark)
    return response.body.dropFirst(hasMark ? byteOrderMark.count : 0).first { $0 > 0x20 }
  }

  var title: String? {
    let text = String(decoding: response.body.prefix(16 << 10), as: UTF8.self)
    let parts = text.split(separator: "<", omittingEmptySubsequences: false)
    guard let part = parts.first(where: { $0.prefix(5).lowercased() == "title" }),
      let end = part.firstIndex(of: ">")
    else { return nil }
    let title = part[part.index(after: end)...].inOneLine
    return title.isEmpty ? nil : title
  }

  /// The service's message, short enough for a quotation: the text or JSON of an error, or the title of an HTML page.
  var excerpt: String? {
    if isMarkup { return title }
    let texts = ["error", "message"].lazy.compactMap { try? JSON.parse(response.body)[$0].string }
    if let error = texts.first(where: { !$0.isEmpty }) { return error.inOneLine }
    let text = String(decoding: response.body.prefix(1 << 10), as: UTF8.self).inOneLine
    return text.isEmpty ? nil : text
  }
}

extension StringProtocol {
  /// Collapses whitespace, removes control characters and limits the length to 200 characters.
  fileprivate var inOneLine: String {
    let words = unicodeScalars.split {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control
    }
    let line = words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    return line.count > 200 ? line.prefix(200) + "…" : line
  }
}

extension ReceivedResponse {
  /// Returns the failure for an unexpected status, with the service's message if there is one.
  ///
  /// A 5xx is a failure of the connection (exit 5), as is a timeout: to a script, the service is not available now
  /// and may be later. A status that fits none of the kinds violates the contract (exit 6).
  public func failure(for request: Request) -> Failure {
    // Masked again, since decoding a JSON text can restore a secret that it escapes.
    let excerpt = excerpt.map { SentSecrets(request).masked($0) }
    let words = excerpt.map { ": \($0)" } ?? ""
    let place = isRecorded ? " in the recording" : ""
    let message = "'\(request.summary)' returned \(response.status)\(place)\(words)"
    var failure =
      switch response.status {
      case 400, 413, 414, 422, 431:
        Failure(.usage, message, hint: "the service refuses what was asked: check the values")
      case 401, 403:
        Failure(.unauthorized, message, hint: "check the key or token, and what it allows")
      case 404, 410:
        Failure(.notFound, message, hint: "check the name or id, and the address of the service")
      case 407:
        Failure(
          .unauthorized, message, hint: "the proxy requires a user name: set it in http_proxy or HTTPS_PROXY")
      case 409:
        Failure(.conflict, message, hint: "look at what is there, then decide")
      case 429:
        Failure(
          .rateLimited, message, hint: hintOfWait ?? "wait, then retry", retryable: true,
          details: waitDetails)
      case 507:
        Failure(.connection, message, hint: "the service has no storage left: report it to its operator")
          .with(.serverError)
      case 408, 500...599:
        Failure(
          .connection, message, hint: hintOfWait ?? "server error: try later",
          retryable: request.isRetryable, outcomeUnknown: !request.method.isSafe, details: waitDetails
        ).with(response.status == 408 ? .timeout : .serverError)
      default:
        Failure(.invalidData, message, hint: "check that the address is that of the service")
      }
    failure.cause = .response(status: response.status, text: excerpt)
    return failure
  }

  /// The longest time that a setting accepts, in seconds.
  private static let longestSetting = 86_400

  /// The time to wait and, if it was too long for this run, the setting that allows it.
  private var hintOfWait: String? {
    if let refusedWait {
      let seconds = refusedWait.length.wholeSeconds
      // A deadline includes the requests before and after the wait.
      let value = seconds + (refusedWait.bound == .deadline ? 60 : 0)
      let wait = "the service requests a wait of \(seconds) s: retry then"
      guard value <= ReceivedResponse.longestSetting else { return wait }
      return "\(wait), or wait with '\(refusedWait.bound.rawValue)\(value)'"
    }
    return secondsToWait.map { "retry in \($0) s" }
  }

  private var waitDetails: [Failure.Detail] {
    guard let seconds = refusedWait?.length.wholeSeconds ?? secondsToWait else { return [] }
    return [.init("retryAfter", .integer(seconds))]
  }

  /// `Retry-After` in seconds. `RetryingTransport` converts other forms.
  private var secondsToWait: Int? { response.headers["Retry-After"].flatMap { Int(fieldText: $0) } }
}
