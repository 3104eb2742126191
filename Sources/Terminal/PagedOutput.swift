import System

/// Standard output by way of the pager, which starts with the first byte.
final class PagedOutput: ByteSink {
  private let host: Host
  private var pager: Pager?
  /// The pager passes colors on to the terminal as they are.
  private var colors: ColorFilter
  private var hasStarted = false

  init(_ host: Host) {
    self.host = host
    colors = ColorFilter(ColorDepth(host.environment))
  }

  var hasPager: Bool { pager != nil }

  func write(_ bytes: RawSpan) throws(Failure) {
    if !hasStarted {
      hasStarted = true
      pager = try Pager.start(
        PagerChoice(host.environment), environment: host.environment, plain: host.output.bytes,
        errors: host.errors)
    }
    guard let pager else { return try host.output.bytes.write(bytes) }
    try pager.write(colors.adapt(unsafe bytes.withUnsafeBytes { unsafe Array($0) }))
  }

  func awaitReader() throws(Failure) {
    guard let pager else { return try host.output.bytes.awaitReader() }
    try pager.awaitReader()
  }

  /// Waits until the reader is done; to be called on every way out.
  func finish() throws(Failure) { try pager?.finish() }
}
