extension Folder {
  /// Removes the folder with everything in it; links are removed, not followed. What is gone already is no matter.
  public static func remove(_ path: String) throws(Failure) {
    for name in try names(path) {
      let inner = "\(path)/\(name)"
      var status = stat()
      guard unsafe lstat(inner, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR { try remove(inner) } else { try File.remove(inner) }
    }
    guard unsafe rmdir(path) != 0, errno != ENOENT else { return }
    throw SystemError(errno).failure("remove", path)
  }
}
