import System

/// The one writer of standard output: gathers bytes and hands them to the sink in large pieces.
///
/// Code that is about to wait calls `flush`, so that the output so far is written before the wait.
public final class Outlet: ByteSink {
  let sink: any ByteSink
  var buffer: [UInt8] = []

  static let pieceSize = 64 << 10

  public init(_ sink: any ByteSink) {
    self.sink = sink
  }

  public func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    try flushIfFull()
  }

  /// Large pieces are written directly.
  public func write(_ bytes: RawSpan) throws(Failure) {
    try flush()
    try sink.write(bytes)
  }

  /// Writes what is there and waits until the reader has taken it.
  public func awaitReader() throws(Failure) {
    try flush()
    try sink.awaitReader()
  }

  func flushIfFull() throws(Failure) {
    if buffer.count >= Outlet.pieceSize { try flush() }
  }

  public func flush() throws(Failure) {
    guard !buffer.isEmpty else { return }
    // Emptied in any case: what could not be written once is not retried on the way out.
    defer { buffer.removeAll(keepingCapacity: true) }
    try sink.write(buffer)
  }
}
