/// What one request may cost at most.
public struct RequestLimits: Equatable, Sendable {
  /// Bytes of request line and header fields together.
  public var head = 16 * 1024
  public var fields = 100
  /// Bytes of content, chunked or not.
  public var body = 1024 * 1024

  public init() {}
}
