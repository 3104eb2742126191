import System
import Terminal

/// Standard output by way of the pager, which starts with the first byte: a command that fails before it has anything
/// to show starts none.
final class PagedSink: ByteSink {
  private let host: Host
  private var pager: Pager?
  /// The pager hands colours on to the terminal as they are.
  private var colored: ColorSink?
  private var hasStarted = false

  init(_ host: Host) {
    self.host = host
  }

  var hasPager: Bool { pager != nil }

  private var sink: any ByteSink { colored ?? host.output.bytes }

  func write(_ bytes: RawSpan) throws(Failure) {
    if !hasStarted {
      hasStarted = true
      pager = try Pager.start(
        PagerChoice(host.environment), environment: host.environment, plain: host.output.bytes,
        errors: host.errors.bytes)
      colored = pager.map { ColorSink($0, ColorDepth(host.environment)) }
    }
    try sink.write(bytes)
  }

  func awaitReader() throws(Failure) { try sink.awaitReader() }

  /// Waits until the reader is done; to be called on every way out.
  func finish() throws(Failure) { try pager?.finish() }
}
