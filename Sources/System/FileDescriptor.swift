/// An open file, pipe, terminal or socket. A plain value: whoever opens it closes it.
public struct FileDescriptor: Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  public static let standardInput = FileDescriptor(rawValue: 0)
  public static let standardOutput = FileDescriptor(rawValue: 1)
  public static let standardError = FileDescriptor(rawValue: 2)

  /// Reads what is there, at most `buffer`'s size. 0 means the end.
  public func read(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    try unsafe buffer.withUnsafeMutableBytes { bytes throws(SystemError) in
      try call { unsafe Platform.read(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Writes what the descriptor takes at once, and says how much that was.
  public func write(_ bytes: RawSpan) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try call { unsafe Platform.write(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Writes everything, through as many short writes as it takes.
  public func writeAll(_ bytes: RawSpan) throws(SystemError) {
    var written = 0
    while written < bytes.byteCount {
      written += try write(bytes.extracting(droppingFirst: written))
    }
  }

  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    try unsafe writeAll(bytes.span.bytes)
  }

  public func close() {
    // Nothing to do about a failure: the descriptor is gone either way, and a retry could close another's.
    _ = Platform.close(rawValue)
  }

  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Makes everything written so far survive a loss of power.
  public func synchronize() throws(SystemError) {
    try call { fsync(rawValue) }
  }
}
