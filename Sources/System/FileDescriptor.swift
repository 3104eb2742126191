import CLibraries

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
      try call { unsafe Glibc.read(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Reads what is there into `buffer` from `start` on and returns how many bytes that was; 0 means the end. The
  /// bytes behind them keep what they held.
  public func read(into buffer: inout [UInt8], from start: Int = 0) throws(SystemError) -> Int {
    try buffer.withMutableBytes(from: start) { bytes throws(SystemError) in try read(into: &bytes) }
  }

  /// Reads what is there, at most `count` bytes; none means the end.
  public func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: count)
    let filled = try read(into: &block)
    block.removeLast(count - filled)
    return block
  }

  /// Writes what the descriptor takes at once, and returns how many bytes that was.
  public func write(_ bytes: RawSpan) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try call { unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count) }
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
    _ = Glibc.close(rawValue)
  }

  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Makes everything written so far survive a loss of power.
  func synchronize() throws(SystemError) {
    try call { fsync(rawValue) }
  }
}

extension FileDescriptor {
  /// Waits until the reader of the pipe has taken everything that stands in it; throws `brokenPipe` where there is no
  /// reader any more. Anything but a pipe is not waited for.
  ///
  /// No system tells the writer of a pipe that it is empty, so it is looked at again and again, ever more seldom.
  func awaitReader() throws(SystemError) {
    var pause: Int32 = 1
    while hw_unread(rawValue) > 0 {
      try passTime(pause)
      pause = min(pause * 2, 50)
    }
    // A reader such as `head` takes a block and goes away then: it gets a moment to do so.
    if isPipe { try passTime(FileDescriptor.parting) }
  }

  private static var parting: Int32 { 20 }

  private var isPipe: Bool {
    var facts = stat()
    return unsafe fstat(rawValue, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  /// Lets some milliseconds pass, less where the reader goes away.
  private func passTime(_ milliseconds: Int32) throws(SystemError) {
    var entry = pollfd()
    entry.fd = rawValue
    guard Interruption.pending == nil else { throw .interrupted }
    try call { unsafe poll(&entry, 1, milliseconds) }
    if entry.revents & Int16(POLLERR) != 0 { throw .brokenPipe }
  }
}

/// A pipe whose two ends no child process inherits unless it is given them.
public struct Pipe: Sendable {
  public let reader: FileDescriptor
  public let writer: FileDescriptor

  public init() throws(SystemError) {
    var ends: (Int32, Int32) = (-1, -1)
    try call {
      unsafe withUnsafeMutableBytes(of: &ends) { ends in
        unsafe hw_pipe(ends.baseAddress?.assumingMemoryBound(to: Int32.self))
      }
    }
    reader = FileDescriptor(rawValue: ends.0)
    writer = FileDescriptor(rawValue: ends.1)
  }
}

/// Standard input, output and errors, as the process was given them.
public enum StandardStreams {
  /// To be called before anything is opened. Where one of the three is closed, the next file or socket would get its
  /// number, and what is meant for a reader would be written into it; so its place is taken, by what can be neither read
  /// nor written.
  public static func hold() { hw_hold_standard_streams() }
}
