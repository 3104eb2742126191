import System

/// A sink on which every write fails, such as on a full disk.
public struct FullSink: ByteSink, Sendable {
  public static let failure = Failure(.storage, "cannot write 'standard output': no space left on device")

  private let failure: Failure

  public init(_ failure: Failure = FullSink.failure) { self.failure = failure }

  public func write(_ bytes: RawSpan) throws(Failure) { throw failure }
}
