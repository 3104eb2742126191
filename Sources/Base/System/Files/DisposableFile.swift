import CLibraries

/// Files that can be created again, such as cached responses: they are not synced to the disk, and the oldest go
/// first when room is short.
public enum DisposableFile {
  /// Replaces the file in one step, as `File.replace` does, but leaves it to the system when it reaches the disk: a
  /// loss of power may leave it damaged, so its reader has to check it.
  public static func replace(_ path: String, with contents: [UInt8]) throws(Failure) {
    try File.replace(path, with: contents, mode: .secret, synchronize: nil)
  }

  /// Adds to the end of the file, which is made when it is missing: all of it or, where that fails, nothing.
  public static func append(_ contents: [UInt8], to path: String) throws(Failure) {
    do throws(SystemError) {
      let file = try File.open(path, .append)
      defer { file.close() }
      try file.growing { () throws(SystemError) in try file.writeAll(contents) }
    } catch {
      throw error.failure("write", path)
    }
  }

  /// Of the files of `folder` whose names `isOwn` accepts, removes those that were written longest ago until the rest
  /// holds at most `limit` bytes together. Files that other processes remove at the same time cause no error.
  public static func prune(
    _ folder: String, to limit: Int, where isOwn: (String) -> Bool
  ) throws(Failure) {
    var files: [(path: String, size: Int, written: Timestamp)] = []
    for name in try Folder.names(folder) where isOwn(name) {
      var status = stat()
      let path = "\(folder)/\(name)"
      guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((path, Int(status.st_size), Timestamp(status.st_mtim)))
    }
    var total = 0
    for file in files.sorted(by: { $0.written > $1.written }) {
      total += file.size
      if total > limit { try File.remove(file.path) }
    }
  }
}
