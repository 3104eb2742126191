import CLibraries

/// Files that can be created again, such as cached responses: never synced to the disk, and pruned by age.
public enum DisposableFile {
  /// Replaces the file without a sync: a loss of power may damage it, so its reader has to check it.
  public static func replace(_ path: String, with contents: [UInt8]) throws(Failure) {
    try File.replace(path, with: contents, mode: .secret, synchronize: nil)
  }

  /// Appends to the file, which is created if it is missing. If a write fails, nothing is appended.
  public static func append(_ contents: [UInt8], to path: String) throws(Failure) {
    try operation("write", path) { () throws(SystemError) in
      let file = try File.open(path, .append)
      defer { file.close() }
      try file.restoringSizeOnFailure { () throws(SystemError) in try file.writeAll(contents) }
    }
  }

  /// Removes the oldest files of `folder` whose names `isOwn` accepts, until the rest has at most `limit` bytes.
  /// Files that other processes remove at the same time cause no error.
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
