import CLibraries

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
