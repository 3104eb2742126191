/// Files that can be had again, such as copies in a cache: nobody waits for the disk over them, and the oldest go
/// first when room is short.
public enum DisposableFile {
  /// Replaces the file in one step, as `File.replace` does, but leaves it to the system when it reaches the disk: a
  /// loss of power may leave it damaged, so its reader has to check it.
  public static func replace(_ path: String, with contents: [UInt8]) throws(Failure) {
    let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
    do throws(SystemError) {
      let file = try File.open(temporary, .createNew)
      defer { file.close() }
      try file.writeAll(contents)
      try call { unsafe rename(temporary, path) }
    } catch {
      unsafe _ = unlink(temporary)
      guard error != .interrupted else { throw Interruption.failure }
      throw error.failure("write", path)
    }
  }

  /// Adds to the end of the file, which is made when it is missing: all of it or, where that fails, nothing.
  public static func append(_ contents: [UInt8], to path: String) throws(Failure) {
    do throws(SystemError) {
      let file = try File.open(path, .append)
      defer { file.close() }
      let size = File.size(path)
      do throws(SystemError) {
        try file.writeAll(contents)
      } catch {
        if let size { _ = ftruncate(file.rawValue, off_t(size)) }
        throw error
      }
    } catch {
      guard error != .interrupted else { throw Interruption.failure }
      throw error.failure("write", path)
    }
  }

  /// Removes the files of `folder` that were written longest ago until those that stay hold at most `limit` bytes
  /// together. Files that others remove meanwhile are no matter.
  public static func prune(_ folder: String, to limit: Int) throws(Failure) {
    var files: [(path: String, size: Int, written: Timestamp)] = []
    for name in try Folder.names(folder) {
      var status = stat()
      let path = "\(folder)/\(name)"
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((path, Int(status.st_size), Platform.modified(status)))
    }
    var total = 0
    for file in files.sorted(by: { $0.written > $1.written }) {
      total += file.size
      if total > limit { try File.remove(file.path) }
    }
  }
}

extension Platform {
  static func modified(_ status: stat) -> Timestamp {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int32(time.tv_nsec))
  }
}
