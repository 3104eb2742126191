import System

/// The one writer of standard output: gathers bytes and hands them to the sink in large pieces.
///
/// Code that is about to wait or to make a request calls `flush`, so that the output so far is written before. When
/// `flush` returns, everything was written, whatever signal came meanwhile: the wait or the request notices that. A
/// command that only writes stops too when it is asked to, since a full buffer, a large piece and the end of the output
/// fail as `interrupted` after they were written.
public final class Outlet: ByteSink {
  let sink: any ByteSink
  var buffer: [UInt8] = []
  private let checkInterruption: () throws(Failure) -> Void

  static let pieceSize = 64 << 10

  /// `checkInterruption` throws if the program was asked to stop. Without it, an outlet ends with its last byte.
  public init(_ sink: any ByteSink, checkInterruption: @escaping () throws(Failure) -> Void = {}) {
    self.sink = sink
    self.checkInterruption = checkInterruption
  }

  public func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    try flushIfFull()
  }

  /// Large pieces are written directly.
  public func write(_ bytes: RawSpan) throws(Failure) {
    try flush()
    try sink.write(bytes)
    try checkInterruption()
  }

  /// Writes what is there and waits until the reader has taken it.
  public func awaitReader() throws(Failure) {
    try flush()
    try sink.awaitReader()
  }

  func flushIfFull() throws(Failure) {
    guard buffer.count >= Outlet.pieceSize else { return }
    try flush()
    try checkInterruption()
  }

  /// Writes the end of the output.
  public func finish() throws(Failure) {
    guard !buffer.isEmpty else { return }
    try flush()
    try checkInterruption()
  }

  public func flush() throws(Failure) {
    guard !buffer.isEmpty else { return }
    // Emptied in any case: what could not be written once is not retried on the way out.
    defer { buffer.removeAll(keepingCapacity: true) }
    try sink.write(buffer)
  }
}
