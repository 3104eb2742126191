import CLibraries

/// Small file that processes lock, read and write in place. The system releases the lock if its holder dies. Not
/// replaced by a rename, which would leave waiting processes with a lock on the old file.
public struct LockedFile: ~Copyable {
  private let file: FileDescriptor
  private let path: String

  /// Waits for the exclusive lock on `path`, which is created if it is missing.
  public init(_ path: String) throws(Failure) { try self.init(path, LOCK_EX) }

  /// Locks a folder itself, so that no lock file needs an owner.
  public init(folder path: String) throws(Failure) { try self.init(path, LOCK_EX, .read) }

  /// Waits for a shared lock, which several processes may hold.
  public init(sharing path: String) throws(Failure) { try self.init(path, LOCK_SH) }

  private init(_ path: String, _ mode: Int32, _ access: File.Access = .readWrite) throws(Failure) {
    do throws(SystemError) {
      file = try LockedFile.open(path, mode, access)
      self.path = path
    } catch {
      throw error.failure("lock", path)
    }
  }

  private static func open(
    _ path: String, _ mode: Int32, _ access: File.Access = .readWrite
  ) throws(SystemError) -> FileDescriptor {
    let file = try File.open(path, access)
    do throws(SystemError) {
      try call { flock(file.rawValue, mode) }
    } catch {
      file.close()
      throw error
    }
    return file
  }

  /// Whether a process holds the lock. Repeated, since a child has its parent's locks until it executes its program.
  public static func isLocked(_ path: String) throws(Failure) -> Bool {
    for attempt in 1...10 {
      if attempt > 1 { pauseThroughSignals(milliseconds: 5) }
      do throws(SystemError) {
        try open(path, LOCK_EX | LOCK_NB).close()
        return false
      } catch {
        guard error.number == EWOULDBLOCK else { throw error.failure("lock", path) }
      }
    }
    return true
  }

  deinit { file.close() }

  public func read(atMost limit: Int) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    try operation("read", path) { () throws(SystemError) in
      while contents.count < limit {
        let block = try [UInt8](atMost: limit - contents.count) { bytes throws(SystemError) in
          try unsafe bytes.withUnsafeMutableBytes { bytes throws(SystemError) in
            try call { unsafe pread(file.rawValue, bytes.baseAddress, bytes.count, contents.count) }
          }
        }
        guard !block.isEmpty else { break }
        contents += block
      }
    }
    return contents
  }

  /// Overwrites the front of the file. A longer old record keeps its end, so all records should have one length. If
  /// it fails, a file without a record stays without one.
  public func write(_ contents: [UInt8]) throws(Failure) {
    try operation("write", path) { () throws(SystemError) in
      try file.restoringSizeOnFailure { () throws(SystemError) in
        var written = 0
        while written < contents.count {
          let rest = unsafe contents.span.bytes.extracting(droppingFirst: written)
          written += try unsafe rest.withUnsafeBytes { bytes throws(SystemError) in
            try call { unsafe pwrite(file.rawValue, bytes.baseAddress, bytes.count, written) }
          }
        }
      }
    }
  }

  /// Fails if the file system has no locks, such as a network file system without its lock service.
  public static func checkSupport(in folder: String) throws(Failure) {
    let path = File.temporaryName(beside: "\(folder)/lock")
    try operation("lock files in", folder) { () throws(SystemError) in
      let file = try File.open(path, .createNew)
      defer {
        unsafe _ = unlink(path)
        file.close()
      }
      try call { flock(file.rawValue, LOCK_EX) }
    }
  }
}
