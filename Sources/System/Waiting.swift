import CLibraries

/// Waiting for whichever comes first of several descriptors.
public enum Waiting {
  /// Waits until one of the descriptors can be read (or has ended), and says which can. None can when `limit` passed
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
    let milliseconds = milliseconds(limit)
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

  /// Rounded up, so that nobody wakes a moment early and goes round the loop for nothing.
  private static func milliseconds(_ limit: Duration?) -> Int32 {
    guard let limit else { return -1 }
    let exact = max(.zero, min(limit, .seconds(1_000_000))) / .milliseconds(1)
    return Int32(exact.rounded(.up))
  }

  private static func drain(_ pipe: FileDescriptor) {
    // It does not block: an error means that it is empty.
    while let bytes = try? pipe.read(atMost: 64), !bytes.isEmpty {}
  }
}
