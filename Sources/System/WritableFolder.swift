extension Folder {
  /// Whether something can be written in the folder, which may have to be made first.
  public static func isWritable(_ path: String) -> Bool {
    var path = path
    while !File.exists(path) {
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return false }
      path = String(path[..<slash])
    }
    return unsafe access(path, W_OK | X_OK) == 0
  }
}
