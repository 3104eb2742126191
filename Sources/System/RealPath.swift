import CLibraries

extension File {
  /// Where a file really is: the end of every symbolic link on the way. The path itself where there is no such file.
  public static func realPath(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
