import Synchronization

public protocol ByteSink {
  func write(_ bytes: RawSpan) throws(Failure)
  /// Waits until the reader of a pipe has read everything, as far as that can be known; throws `closedPipe` if the
  /// pipe has no reader any more. Files and buffers do not wait.
  func awaitReader() throws(Failure)
}

extension ByteSink {
  public func awaitReader() throws(Failure) {}

  public func write(_ bytes: [UInt8]) throws(Failure) { try unsafe write(bytes.span.bytes) }

  public func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }
}

public protocol ByteSource {
  /// Reads available bytes into the front of `buffer` and returns their number; 0 at the end.
  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int
}

extension ByteSource {
  /// Reads available bytes into `buffer` from `start` on and returns their number; 0 at the end.
  public func read(into buffer: inout [UInt8], from start: Int = 0) throws(Failure) -> Int {
    try buffer.withMutableBytes(from: start) { bytes throws(Failure) in try read(into: &bytes) }
  }

  /// Reads at most `count` available bytes; none at the end.
  public func read(atMost count: Int) throws(Failure) -> [UInt8] {
    try [UInt8](atMost: count) { bytes throws(Failure) in try read(into: &bytes) }
  }

  /// Reads to the end. Returns nil for more than `limit` bytes.
  public func readAll(atMost limit: Int) throws(Failure) -> [UInt8]? {
    var bytes: [UInt8] = []
    while case let block = try read(atMost: 256 << 10), !block.isEmpty {
      bytes += block
      guard bytes.count <= limit else { return nil }
    }
    return bytes
  }
}

public struct DescriptorSink: ByteSink, Sendable {
  private let descriptor: FileDescriptor
  private let name: String
  private let isInterruptible: Bool

  /// With `isInterruptible`, a write does not wait for a slow reader after a signal to stop.
  public init(_ descriptor: FileDescriptor, name: String, isInterruptible: Bool = false) {
    self.descriptor = descriptor
    self.name = name
    self.isInterruptible = isInterruptible
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    do throws(SystemError) {
      var written = 0
      while written < bytes.byteCount {
        var rest = bytes.extracting(droppingFirst: written)
        // A signal before the call would not interrupt it, nor one after a partial write.
        if isInterruptible, Interruption.pending != nil {
          guard descriptor.acceptsBytes else { throw .interrupted }
          // A write of more than a page could wait.
          rest = rest.extracting(first: 4096)
        }
        written += try descriptor.write(rest)
      }
    } catch {
      throw failure(error)
    }
  }

  public func awaitReader() throws(Failure) {
    do throws(SystemError) {
      try descriptor.awaitReader()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SystemError) -> Failure {
    error == .brokenPipe ? Failure(.closedPipe, "\(name) was closed") : error.failure("write", name)
  }
}

public struct DescriptorSource: ByteSource, Sendable {
  private let descriptor: FileDescriptor
  private let name: String

  public init(_ descriptor: FileDescriptor, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  public func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    // A signal that came just before the call would not end it.
    try Interruption.check()
    do throws(SystemError) {
      return try descriptor.read(into: &buffer)
    } catch {
      throw error.failure("read", name)
    }
  }
}

/// File that is read, and closed with the last reference: a command may read more files than a process can open.
public final class FileSource: ByteSource, Sendable {
  private let descriptor: FileDescriptor
  private let path: String

  public init(_ path: String) throws(Failure) {
    descriptor = try operation("read", path) { () throws(SystemError) in try File.open(path, .read) }
    self.path = path
  }

  deinit { descriptor.close() }

  public func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    try DescriptorSource(descriptor, name: path).read(into: &buffer)
  }
}

/// Sink in memory: for tests, and for output that must be complete before it is shown.
public final class MemorySink: ByteSink, Sendable {
  private let contents = Mutex<[UInt8]>([])

  public init() {}

  public func write(_ bytes: RawSpan) {
    contents.withLock { contents in
      unsafe bytes.withUnsafeBytes { unsafe contents.append(contentsOf: $0) }
    }
  }

  public var bytes: [UInt8] { contents.withLock { $0 } }

  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// Source in memory; returns at most `chunk` bytes per read.
public final class MemorySource: ByteSource, Sendable {
  private let bytes: [UInt8]
  private let chunk: Int
  private let position = Mutex(0)

  public init(_ bytes: some Sequence<UInt8>, chunk: Int = .max) {
    self.bytes = Array(bytes)
    self.chunk = chunk
  }

  public func read(into buffer: inout MutableRawSpan) -> Int {
    let most = min(buffer.byteCount, chunk)
    let next = position.withLock { position in
      let start = position
      position += min(most, bytes.count - position)
      return bytes[start..<position]
    }
    unsafe buffer.withUnsafeMutableBytes { unsafe $0.copyBytes(from: next) }
    return next.count
  }
}
