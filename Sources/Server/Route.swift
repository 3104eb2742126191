import HTTP
import Store
import System

/// One line of a backend's table: which requests it answers, and how.
///
///     Route(.put, "/bikes/:id/rented") { call throws(Failure) in … }
///
/// A segment `:name` stands for any one segment, which the handler reads as `call["name"]`. A literal segment is
/// preferred to a parameter. GET answers HEAD too.
public struct Route {
  public let method: Method
  public let pattern: String
  public let handler: Handler

  /// Called on the event loop's thread, one request at a time: state needs no lock, and whoever takes long keeps
  /// everybody waiting. What it throws becomes the answer of the backend's error style, for this request alone.
  public typealias Handler = (Call) throws(Failure) -> Response

  public init(_ method: Method, _ pattern: String, handler: @escaping Handler) {
    self.method = method
    self.pattern = pattern
    self.handler = handler
  }
}

/// A suite's backend: its routes, with the paths of the real service, and the way that service words its errors.
public struct Backend {
  /// The suite's name, which is also a prefix: `/nodes/api/v1/…` answers like `/api/v1/…`.
  public let suite: String
  public let routes: [Route]
  public let errors: ErrorStyle
  /// Called after the handlers of one turn of the event loop, before any of their answers is sent: the place for a
  /// group commit. When it throws, every answer that this backend gave in the turn becomes a 500.
  public let turnEnded: (() throws(Failure) -> Void)?

  public init(
    _ suite: String, errors: ErrorStyle = .json, routes: [Route],
    turnEnded: (() throws(Failure) -> Void)? = nil
  ) {
    self.suite = suite
    self.routes = routes
    self.errors = errors
    self.turnEnded = turnEnded
  }
}

/// How a service words an error. The status is decided already (404 and 405 by the router, else by the failure); a
/// style may answer with another.
public struct ErrorStyle: Sendable {
  let answer: @Sendable (_ status: Int, _ failure: Failure, _ wantsJSON: Bool) -> Response

  public init(_ answer: @escaping @Sendable (_ status: Int, _ failure: Failure) -> Response) {
    self.answer = { status, failure, _ in answer(status, failure) }
  }

  /// For a service that has another answer for who asks for JSON.
  public init(
    orJSON answer: @escaping @Sendable (_ status: Int, _ failure: Failure, _ wantsJSON: Bool) -> Response
  ) {
    self.answer = answer
  }

  /// `{"error":"…"}`. What went wrong inside (5xx) is for the log alone: it may name files of this machine.
  public static let json = ErrorStyle { status, failure in
    let text = status < 500 ? failure.message : ReasonPhrase.of(status).lowercased()
    return Response(
      status, headers: ["Content-Type": "application/json"],
      body: Array("{\"error\":\"\(escaped(text))\"}".utf8))
  }

  /// The status that a failure thrown by a handler has, unless the style knows better.
  static func status(of failure: Failure) -> Int {
    switch failure.kind {
    case .usage, .invalidData: 400
    case .unauthorized: 401
    case .notFound: 404
    case .conflict: 409
    case .rateLimited: 429
    case .storage where failure.isOutOfSpace: 507
    // Somebody else holds a lock: it will pass.
    case .storage where failure.retryable: 503
    default: 500
    }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// A request that has found its route.
public struct Call: Sendable {
  public let request: ReceivedRequest
  let path: PathSegments
  /// The route's.
  let pattern: String
  /// How many segments of the path come before those of the pattern.
  let skipped: Int

  public var method: Method { request.method }
  public var query: Query { request.query }
  public var body: [UInt8] { request.body }
  public func header(_ name: StaticString) -> String? { request.header(name) }

  /// What stands in the path for `:name`, decoded. The name must be one of the route's pattern.
  public subscript(_ name: String) -> String {
    let slash = UInt8(ascii: "/")
    var segment = skipped
    var rest = pattern.utf8.drop { $0 == slash }
    while !rest.isEmpty {
      let part = rest.prefix { $0 != slash }
      if part.first == UInt8(ascii: ":"), part.dropFirst().elementsEqual(name.utf8) {
        return path.text(segment)
      }
      rest = rest.dropFirst(part.count + 1)
      segment += 1
    }
    assertionFailure("the route has no parameter ':\(name)'")
    return ""
  }
}
