extension File {
  /// In bytes; nil when there is no such file. Nothing is opened: closing a file gives back the locks that the same
  /// process holds on it.
  public static func size(_ path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }
}
