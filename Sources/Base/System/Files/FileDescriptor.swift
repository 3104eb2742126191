import CLibraries

/// An open file, pipe, terminal or socket. A plain value: the code that opens it closes it.
public struct FileDescriptor: Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let standardInput = FileDescriptor(rawValue: 0)
  public static let standardOutput = FileDescriptor(rawValue: 1)
  public static let standardError = FileDescriptor(rawValue: 2)

  /// Reads available bytes and returns their number; 0 at the end.
  public func read(into buffer: inout MutableRawSpan) throws(SystemError) -> Int {
    try unsafe buffer.withUnsafeMutableBytes { bytes throws(SystemError) in
      try call { unsafe Glibc.read(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  /// Reads available bytes into `buffer` from `start` on and returns their number; 0 at the end.
  public func read(into buffer: inout [UInt8], from start: Int = 0) throws(SystemError) -> Int {
    try buffer.withMutableBytes(from: start) { bytes throws(SystemError) in try read(into: &bytes) }
  }

  /// Reads at most `count` available bytes; none at the end.
  public func read(atMost count: Int) throws(SystemError) -> [UInt8] {
    try [UInt8](atMost: count) { bytes throws(SystemError) in try read(into: &bytes) }
  }

  /// Writes as many bytes as the descriptor takes at once, and returns their number.
  public func write(_ bytes: RawSpan) throws(SystemError) -> Int {
    try unsafe bytes.withUnsafeBytes { bytes throws(SystemError) in
      try call { unsafe Glibc.write(rawValue, bytes.baseAddress, bytes.count) }
    }
  }

  public func writeAll(_ bytes: RawSpan) throws(SystemError) {
    var written = 0
    while written < bytes.byteCount {
      written += try write(bytes.extracting(droppingFirst: written))
    }
  }

  public func writeAll(_ bytes: [UInt8]) throws(SystemError) { try unsafe writeAll(bytes.span.bytes) }

  public func close() {
    // Ignores errors: the descriptor is closed either way, and a retry could close another one.
    _ = Glibc.close(rawValue)
  }

  /// Makes a call that would wait throw `wouldBlock`.
  func makeNonBlocking() throws(SystemError) { try call { hw_nonblocking(rawValue) } }

  /// Whether a write of at most a page (4096 bytes) would not wait.
  var acceptsBytes: Bool {
    var entry = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&entry, 1, 0) != 0
  }

  public var isTerminal: Bool { isatty(rawValue) == 1 }

  func synchronize() throws(SystemError) { try call { fsync(rawValue) } }

  /// Moves to the end of the file and runs `body`. If it throws, restores the size, so that no partial write stays.
  func restoringSizeOnFailure(_ body: () throws(SystemError) -> Void) throws(SystemError) {
    let size = try call { lseek(rawValue, 0, SEEK_END) }
    do throws(SystemError) {
      try body()
    } catch {
      _ = ftruncate(rawValue, size)
      throw error
    }
  }

  /// Waits until the reader of the pipe has read everything; throws `brokenPipe` if the pipe has no reader any more.
  /// Returns at once for anything but a pipe. Polls at growing intervals, because the kernel does not notify the
  /// writer of an empty pipe.
  func awaitReader() throws(SystemError) {
    // Other descriptors have unread bytes too: appended ones in a file, typed ones at a terminal.
    var facts = stat()
    guard unsafe fstat(rawValue, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return }
    var pause: Int32 = 1
    while hw_unread(rawValue) > 0 {
      try sleepWhileOpen(pause)
      pause = min(pause * 2, 50)
    }
    // Time for a reader such as `head` to exit after it has read a block.
    try sleepWhileOpen(20)
  }

  /// Sleeps, at most until the reader exits.
  private func sleepWhileOpen(_ milliseconds: Int32) throws(SystemError) {
    var entry = pollfd(fd: rawValue, events: 0, revents: 0)
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

public enum StandardStreams {
  /// Opens the standard descriptors that are closed, for neither reading nor writing: the next file or socket would
  /// get their number and receive the output. Call this before anything is opened.
  public static func openMissing() { hw_open_missing_streams() }
}
