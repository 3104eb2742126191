/// What a service answered. Any status is a response; only the lack of one is a failure.
public struct Response: Equatable, Sendable {
  public var status: Int
  public var headers: Headers
  public var body: [UInt8]
  /// How often it was asked for: with more than once, what was asked may have been done by a try whose answer was lost.
  public var attempts = 1

  /// How large a body hw takes from a service: no answer it asks for comes near, and memory is bounded.
  public static let sizeLimit = 64 << 20

  public init(_ status: Int, headers: Headers = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}
