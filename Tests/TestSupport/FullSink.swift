import System

/// A sink on a full disk: every write fails.
public struct FullSink: ByteSink, Sendable {
  public static let failure = Failure(
    .storage, "cannot write 'standard output': no space left on device")

  public init() {}

  public func write(_ bytes: RawSpan) throws(Failure) { throw FullSink.failure }
}
