import System

/// Buffered standard output. Code that waits or makes a request calls `flush` first, so that the output so far is
/// written. `flush` ignores signals: the wait or the request after it fails. After a signal, `finish` and the writing
/// of a full buffer or a large piece throw `interrupted` at their end, so a command that only writes stops too.
public final class Outlet: ByteSink {
  let sink: any ByteSink
  var buffer: [UInt8] = []
  /// Number of columns of a table that have no room on the screen.
  public internal(set) var omittedColumns = 0
  private let checkInterruption: () throws(Failure) -> Void

  static let pieceSize = 64 << 10

  /// `checkInterruption` throws after a signal to stop.
  public init(_ sink: any ByteSink, checkInterruption: @escaping () throws(Failure) -> Void = {}) {
    self.sink = sink
    self.checkInterruption = checkInterruption
  }

  public func write(_ text: String) throws(Failure) {
    buffer.append(contentsOf: text.utf8)
    try flushIfFull()
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    try flush()
    try sink.write(bytes)
    try checkInterruption()
  }

  public func awaitReader() throws(Failure) {
    try flush()
    try sink.awaitReader()
  }

  func flushIfFull() throws(Failure) {
    guard buffer.count >= Outlet.pieceSize else { return }
    try flush()
    try checkInterruption()
  }

  public func finish() throws(Failure) {
    guard !buffer.isEmpty else { return }
    try flush()
    try checkInterruption()
  }

  public func flush() throws(Failure) {
    guard !buffer.isEmpty else { return }
    // Emptied also after a failure: the bytes are not written again on the way out.
    defer { buffer.removeAll(keepingCapacity: true) }
    try sink.write(buffer)
  }
}
