import CLibraries

/// A small file that processes take turns at: opened, locked, read and written in place. The system gives the lock
/// back when its holder dies.
///
/// Written in place and not replaced: a rename would leave those who wait with a lock on the old file.
public struct LockedFile: ~Copyable {
  private let file: FileDescriptor
  private let path: String

  /// Waits for its turn at `path`, which is made when it is missing.
  public init(_ path: String) throws(Failure) { try self.init(path, LOCK_EX) }

  /// Shares the lock with others who share it.
  public init(sharing path: String) throws(Failure) { try self.init(path, LOCK_SH) }

  private init(_ path: String, _ operation: Int32) throws(Failure) {
    do throws(SystemError) {
      file = try LockedFile.open(path, operation)
      self.path = path
    } catch {
      throw error.failure("lock", path)
    }
  }

  private static func open(_ path: String, _ operation: Int32) throws(SystemError) -> FileDescriptor {
    let file = try File.open(path, .readWrite)
    do throws(SystemError) {
      try call { flock(file.rawValue, operation) }
    } catch {
      file.close()
      throw error
    }
    return file
  }

  /// Whether a process holds the lock, alone or shared. A child has the locks of its parent until it runs its own program,
  /// so a lock is looked for again.
  public static func isLocked(_ path: String, attempts: Int = 10) throws(Failure) -> Bool {
    for attempt in 1...attempts {
      do throws(SystemError) {
        try open(path, LOCK_EX | LOCK_NB).close()
        return false
      } catch {
        guard error.number == EWOULDBLOCK else { throw error.failure("lock", path) }
      }
      if attempt < attempts { pauseThroughSignals(milliseconds: 5) }
    }
    return true
  }

  deinit { file.close() }

  /// The first `limit` bytes, or all where the file is shorter.
  public func read(atMost limit: Int) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    do throws(SystemError) {
      while contents.count < limit {
        var block = [UInt8](repeating: 0, count: limit - contents.count)
        let count = try block.withMutableBytes(from: 0) { bytes throws(SystemError) in
          try unsafe bytes.withUnsafeMutableBytes { bytes throws(SystemError) in
            try call { unsafe pread(file.rawValue, bytes.baseAddress, bytes.count, contents.count) }
          }
        }
        guard count > 0 else { break }
        contents += block[..<count]
      }
    } catch {
      throw error.failure("read", path)
    }
    return contents
  }

  /// Writes over the front of the file. What is longer stays behind: a record should have one length. If it fails, a
  /// file that had no record yet has none.
  public func write(_ contents: [UInt8]) throws(Failure) {
    do throws(SystemError) {
      try file.growing { () throws(SystemError) in
        var written = 0
        while written < contents.count {
          let rest = unsafe contents.span.bytes.extracting(droppingFirst: written)
          written += try unsafe rest.withUnsafeBytes { bytes throws(SystemError) in
            try call { unsafe pwrite(file.rawValue, bytes.baseAddress, bytes.count, written) }
          }
        }
      }
    } catch {
      throw error.failure("write", path)
    }
  }
}

extension LockedFile {
  /// Fails if the file system has no locks, as over a network without its lock service: waiting for one would be in vain.
  public static func checkSupport(in folder: String) throws(Failure) {
    let path = "\(folder)/lock.\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
    do throws(SystemError) {
      let file = try File.open(path, .createNew)
      defer {
        unsafe _ = unlink(path)
        file.close()
      }
      try call { flock(file.rawValue, LOCK_EX) }
    } catch {
      throw error.failure("lock files in", folder)
    }
  }
}

extension FileDescriptor {
  /// Runs `body` at the end of the file. If it throws, on a full disk for example, the file gets back the size that it
  /// had: half a line could mean something else than the whole one.
  func growing(_ body: () throws(SystemError) -> Void) throws(SystemError) {
    let size = try call { lseek(rawValue, 0, SEEK_END) }
    do throws(SystemError) {
      try body()
    } catch {
      _ = ftruncate(rawValue, size)
      throw error
    }
  }
}
