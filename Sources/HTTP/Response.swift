/// What a service answered. Any status is a response; only the lack of one is a failure.
public struct Response: Equatable, Sendable {
  public var status: Int
  public var headers: Headers
  public var body: [UInt8]

  public init(_ status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
