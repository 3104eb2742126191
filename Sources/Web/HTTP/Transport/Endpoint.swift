import JSON
import System

/// Sends the requests of a client to one service, and decodes the responses.
public struct Endpoint {
  public let base: URL
  public let headers: Headers
  let transport: any Transport

  public init(_ base: URL, headers: Headers = [:], _ transport: any Transport) {
    self.base = base
    self.headers = headers
    self.transport = transport
  }

  /// Requests a path and decodes the JSON response with `read`. Any other response is a failure that describes it; a
  /// violation of the contract names the request.
  ///
  /// `serviceError` is called first, for a service with its own form of errors. `meaningfulErrors` are results, and are
  /// not retried. With `maxAge`, a cached response of up to that age is sufficient. `next` describes the requests that
  /// depend on the response.
  ///
  /// A response that violates the contract is removed from the cache, and so is one whose value `isCacheable` rejects.
  /// If the response came from the cache, the request is then sent.
  public func get<Value>(
    _ path: URL.Path, _ query: URL.Query = [:], maxAge: Duration? = nil, next: String? = nil,
    meaningfulErrors: [MeaningfulError] = [],
    serviceError: (ReceivedResponse) -> Failure? = { _ in nil }, isCacheable: (Value) -> Bool = { _ in true },
    _ read: (JSON) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var request = request(.get, path, query)
    request.maxAge = maxAge
    request.next = next
    request.meaningfulErrors = meaningfulErrors
    // A cached, recorded or embedded response comes without a wait that a signal could end.
    try Interruption.check()
    let response = try send(request)
    do throws(Failure) {
      let value = try self.read(response, for: request, serviceError, read)
      if isCacheable(value) { return value }
      transport.discard(request)
      guard response.isCached else { return value }
    } catch {
      guard response.isCached, error.kind == .invalidData else { throw error }
    }
    request.maxAge = .zero
    let value = try self.read(send(request), for: request, serviceError, read)
    if !isCacheable(value) { transport.discard(request) }
    return value
  }

  public func read<Value>(
    _ response: ReceivedResponse, for request: Request, _ serviceError: (ReceivedResponse) -> Failure?,
    _ read: (JSON) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if let failure = serviceError(response) { throw failure }
    do throws(Failure) {
      let bytes = try response.json(for: request)
      do throws(Failure) {
        return try read(parse(bytes))
      } catch {
        guard error.kind == .invalidData else { throw error }
        throw error.describing(
          "'\(request.summary)': \(error.message)",
          hint: error.hint ?? "the service violates its contract; '--record DIR' saves what was exchanged")
      }
    } catch {
      guard error.kind == .invalidData else { throw error }
      transport.discard(request)
      var failure = SentSecrets(request).masked(error)
      // The service may have executed the request.
      if !request.method.isSafe { failure.outcomeUnknown = true }
      throw failure
    }
  }

  /// Largest number of rows in a list: far above those of any service, so that memory is bounded.
  static let rowLimit = 100_000

  private func parse(_ bytes: [UInt8]) throws(Failure) -> JSON {
    let json = try JSON.parse(bytes)
    if !base.isEmbedded, json.hasArray(longerThan: Endpoint.rowLimit) { try Endpoint.checkRows(.max) }
    return json
  }

  /// Fails if a list that is read from several responses has too many rows.
  public static func checkRows(_ count: Int) throws(Failure) {
    guard count > rowLimit else { return }
    throw Failure(
      .invalidData, "the list has more than \(rowLimit) rows",
      hint: "hw reads no list that is longer; select a part of it")
  }

  public func send(
    _ method: Method, _ path: URL.Path, _ query: URL.Query = [:], headers: Headers = [:], body: [UInt8] = []
  ) throws(Failure) -> ReceivedResponse {
    try send(request(method, path, query, headers: headers, body: body))
  }

  /// Masks secrets in the body of an error: messages quote it, and a service may repeat the token there.
  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    var response = try transport.send(request)
    if response.status >= 400 { response.body = SentSecrets(request).masked(response.body) }
    return response
  }

  public func request(
    _ method: Method, _ path: URL.Path, _ query: URL.Query = [:], headers: Headers = [:], body: [UInt8] = []
  ) -> Request {
    var request = Request(method, base.appending(path: path, query: query), headers: self.headers, body: body)
    for field in headers.fields { request.headers[field.name] = field.value }
    return request
  }
}
