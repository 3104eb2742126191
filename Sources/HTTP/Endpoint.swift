import JSON
import System

/// A service for its client: the base URL, the headers of every request, and the transport.
public struct Endpoint {
  public let base: URL
  let headers: Headers
  let transport: any Transport

  public init(_ base: URL, headers: Headers = [:], _ transport: any Transport) {
    self.base = base
    self.headers = headers
    self.transport = transport
  }

  /// Requests a path and decodes the JSON response with `read`. Any other response is a failure that describes it; a
  /// violation of the contract names the request. `refusal` is called first, for a service with its own form of
  /// errors. With `maxAge`, a cached response of up to that age is sufficient.
  ///
  /// A response that violates the contract does not stay in the cache, nor does one whose result `isCacheable`
  /// rejects. If it came from the cache, the request is sent.
  public func get<Answer>(
    _ path: URL.Path, _ query: URL.Query = [:], maxAge: Duration? = nil,
    refusal: (Response) -> Failure? = { _ in nil }, isCacheable: (Answer) -> Bool = { _ in true },
    _ read: (JSON) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    var request = request(.get, path, query)
    request.maxAge = maxAge
    let response = try transport.send(request)
    do throws(Failure) {
      let answer = try self.read(response, answering: request, refusal, read)
      if isCacheable(answer) { return answer }
      transport.discard(request)
      guard response.isCached else { return answer }
    } catch {
      guard response.isCached, error.kind == .invalidData else { throw error }
    }
    request.maxAge = .zero
    let answer = try self.read(transport.send(request), answering: request, refusal, read)
    if !isCacheable(answer) { transport.discard(request) }
    return answer
  }

  /// The same for a response that was received already.
  public func read<Answer>(
    _ response: Response, answering request: Request, _ refusal: (Response) -> Failure?,
    _ read: (JSON) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    if let failure = refusal(response) { throw failure }
    do throws(Failure) {
      let bytes = try response.json(answering: request)
      do throws(Failure) {
        return try read(JSON.parse(bytes))
      } catch {
        throw error.blaming(request)
      }
    } catch {
      if error.kind == .invalidData { transport.discard(request) }
      throw error
    }
  }

  /// Returns the response, whatever its status.
  public func send(
    _ method: Method, _ path: URL.Path, _ query: URL.Query = [:], headers: Headers = [:], body: [UInt8] = []
  ) throws(Failure) -> Response {
    try transport.send(request(method, path, query, headers: headers, body: body))
  }

  public func send(_ request: Request) throws(Failure) -> Response { try transport.send(request) }

  public func request(
    _ method: Method, _ path: URL.Path, _ query: URL.Query = [:], headers: Headers = [:], body: [UInt8] = []
  ) -> Request {
    var request = Request(method, base.appending(path: path, query: query), headers: self.headers, body: body)
    for field in headers.fields { request.headers[field.name] = field.value }
    return request
  }
}

extension Failure {
  /// The same failure with the request that caused it.
  fileprivate func blaming(_ request: Request) -> Failure {
    guard kind == .invalidData else { return self }
    var failure = self
    failure.message = "'\(request.summary)': \(message)"
    failure.hint = failure.hint ?? "the service does not keep to its contract; '-vv' shows what was exchanged"
    return failure
  }
}
