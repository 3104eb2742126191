import CLibraries

public enum Waiting {
  /// Waits until a descriptor is ready (readable or at its end); returns for each whether it is. All are false after
  /// `limit` (nil: no limit), and if the terminal needs a redraw. A signal to stop throws `interrupted`.
  public static func forInput(
    _ descriptors: [FileDescriptor], atMost limit: Duration?
  ) throws(SystemError) -> [Bool] {
    var entries = (descriptors.map(\.rawValue) + [hw_wake_descriptor()]).map { number in
      pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    }
    let milliseconds = limit?.pollMilliseconds ?? -1
    guard Interruption.pending == nil else { throw .interrupted }
    try call {
      unsafe entries.withUnsafeMutableBufferPointer {
        unsafe poll($0.baseAddress, nfds_t($0.count), milliseconds)
      }
    }
    if let wake = entries.last, wake.revents != 0 {
      // The pipe does not block: an error means that it is empty.
      while let bytes = try? FileDescriptor(rawValue: wake.fd).read(atMost: 64), !bytes.isEmpty {}
    }
    guard Interruption.pending == nil else { throw .interrupted }
    return entries.dropLast().map { $0.revents != 0 }
  }
}

extension Duration {
  /// Time-out for `poll` and `epoll`: at least 0, at most eleven days, rounded up so that no wait ends early.
  public var pollMilliseconds: Int32 {
    Int32((max(.zero, min(self, .seconds(1_000_000))) / .milliseconds(1)).rounded(.up))
  }
}
