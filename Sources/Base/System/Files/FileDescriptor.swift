import CLibraries

/// An open file, pipe, terminal or socket. A plain value: the code that opens it closes it.
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

  /// From now on a call that would wait throws `wouldBlock`.
  func makeNonBlocking() throws(SystemError) {
    try call { hw_nonblocking(rawValue) }
  }

  /// Whether a write of a few bytes would not wait.
  var acceptsBytes: Bool {
    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&entry, 1, 0) != 0
  }

  public var isTerminal: Bool { isatty(rawValue) == 1 }

  /// Makes everything written so far survive a loss of power.
  func synchronize() throws(SystemError) {
    try call { fsync(rawValue) }
  }
}

extension FileDescriptor {
  /// Waits until the reader of the pipe has read everything in it; throws `brokenPipe` if the pipe has no reader any
  /// more. Returns at once for anything but a pipe.
  ///
  /// The kernel does not notify the writer of a pipe that it is empty, so this polls, at growing intervals.
  func awaitReader() throws(SystemError) {
    // A file and a terminal have unread bytes as well: what others have appended, what was typed.
    guard isPipe else { return }
    var pause: Int32 = 1
    while hw_unread(rawValue) > 0 {
      try passTime(pause)
      pause = min(pause * 2, 50)
    }
    // A reader such as `head` reads a block and then exits: it gets a moment to do so.
    try passTime(FileDescriptor.parting)
  }

  private static var parting: Int32 { 20 }

  private var isPipe: Bool {
    var facts = stat()
    return unsafe fstat(rawValue, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
  }

  /// Sleeps for some milliseconds, less if the reader exits.
  private func passTime(_ milliseconds: Int32) throws(SystemError) {
    var entry = pollfd()
    entry.fd = rawValue
    guard Interruption.pending == nil else { throw .interrupted }
    try call { unsafe poll(&entry, 1, milliseconds) }
    if entry.revents & Int16(POLLERR) != 0 { throw .brokenPipe }
  }
}

/// A pipe whose ends no child process inherits unless they are passed to it.
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

/// Standard input, output and error.
public enum StandardStreams {
  /// To be called before anything is opened. If one of the three is closed, the next file or socket would get its
  /// number, and output would be written into it; so a descriptor that can be neither read nor written takes its place.
  public static func hold() { hw_hold_standard_streams() }
}

/// Waiting for whichever comes first of several descriptors.
public enum Waiting {
  /// Waits until one of the descriptors can be read (or has ended), and returns those. None can when `limit` passed
  /// first, or when the terminal has news; a signal that asks to stop throws. Nil for `limit` waits without end.
  public static func forInput(
    _ descriptors: [FileDescriptor], atMost limit: Duration?
  ) throws(SystemError) -> [Bool] {
    var entries = (descriptors.map(\.rawValue) + [hw_wake_descriptor()]).map { number in
      var entry = pollfd()
      entry.fd = number
      entry.events = Int16(POLLIN)
      return entry
    }
    let milliseconds = limit?.pollMilliseconds ?? -1
    guard Interruption.pending == nil else { throw .interrupted }
    try call {
      unsafe entries.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
      }
    }
    if let wake = entries.last, wake.revents != 0 { drain(FileDescriptor(rawValue: wake.fd)) }
    guard Interruption.pending == nil else { throw .interrupted }
    return entries.dropLast().map { $0.revents != 0 }
  }

  private static func drain(_ pipe: FileDescriptor) {
    // It does not block: an error means that it is empty.
    while let bytes = try? pipe.read(atMost: 64), !bytes.isEmpty {}
  }
}

extension Duration {
  /// As `poll` and `epoll` take it: at least 0, at most eleven days, and rounded up, so that no wait ends a moment early.
  public var pollMilliseconds: Int32 {
    Int32((max(.zero, min(self, .seconds(1_000_000))) / .milliseconds(1)).rounded(.up))
  }
}
