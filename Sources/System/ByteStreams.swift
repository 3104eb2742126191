import Synchronization

/// Where bytes go: standard output, a file, a buffer in a test. All of them are taken, or a failure says why not.
public protocol ByteSink {
  func write(_ bytes: RawSpan) throws(Failure)
  /// Waits until whoever reads has taken everything that was written, as far as that can be known; fails as
  /// `closedPipe` where nobody reads any more. Where there is no reader, in a file or in memory, it does not wait.
  func awaitReader() throws(Failure)
}

extension ByteSink {
  public func awaitReader() throws(Failure) {}
}

extension ByteSink {
  public func write(_ bytes: [UInt8]) throws(Failure) {
    try unsafe write(bytes.span.bytes)
  }

  public func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }
}

/// Where bytes come from.
public protocol ByteSource {
  /// Fills the front of `buffer` with what is there and says how much that was; 0 means the end.
  func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int
}

/// An open descriptor, with the name that a failure calls it by.
public struct DescriptorSink: ByteSink, Sendable {
  let descriptor: FileDescriptor
  let name: String

  public init(_ descriptor: FileDescriptor, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    do throws(SystemError) {
      try descriptor.writeAll(bytes)
    } catch .brokenPipe {
      throw Failure(.closedPipe, "\(name) was closed")
    } catch .interrupted {
      throw Interruption.failure
    } catch {
      throw error.failure("write", name)
    }
    try Interruption.check()
  }

  public func awaitReader() throws(Failure) {
    do throws(SystemError) {
      try descriptor.awaitReader()
    } catch .brokenPipe {
      throw Failure(.closedPipe, "\(name) was closed")
    } catch {
      throw error == .interrupted ? Interruption.failure : error.failure("write", name)
    }
  }
}

/// An open descriptor, with the name that a failure calls it by.
public struct DescriptorSource: ByteSource, Sendable {
  let descriptor: FileDescriptor
  let name: String

  public init(_ descriptor: FileDescriptor, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  public func read(into buffer: inout MutableRawSpan) throws(Failure) -> Int {
    // A signal that came just before the call would not break it off.
    try Interruption.check()
    do throws(SystemError) {
      return try descriptor.read(into: &buffer)
    } catch .interrupted {
      throw Interruption.failure
    } catch {
      throw error.failure("read", name)
    }
  }
}

/// A sink that keeps what it is given: for tests, and for output that must be whole before it is shown.
public final class MemorySink: ByteSink, Sendable {
  private let written = Mutex<[UInt8]>([])

  public init() {}

  public var bytes: [UInt8] { written.withLock { $0 } }

  public func write(_ bytes: RawSpan) {
    let added = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    written.withLock { $0 += added }
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A source that gives out bytes it was given, `chunk` at a time.
public final class MemorySource: ByteSource, Sendable {
  private let bytes: [UInt8]
  private let chunk: Int
  private let position = Mutex(0)

  public init(_ bytes: some Sequence<UInt8>, chunk: Int = .max) {
    self.bytes = Array(bytes)
    self.chunk = chunk
  }

  public func read(into buffer: inout MutableRawSpan) -> Int {
    let room = min(buffer.byteCount, chunk)
    let range = position.withLock { position in
      let start = position
      position = min(bytes.count, start + room)
      return start..<position
    }
    for (offset, index) in range.enumerated() {
      buffer.storeBytes(of: bytes[index], toByteOffset: offset, as: UInt8.self)
    }
    return range.count
  }
}
