import CLibraries

public enum Folder {
  public static func containing(_ path: String) -> String {
    // As a `Character`, a slash before a combining one is not '/'.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Creates the directory and its parents if missing, mode 0700, or with `.shared` as the umask allows.
  public static func make(_ path: String, mode: File.Mode = .secret) throws(Failure) {
    let bits: mode_t = mode == .secret ? 0o700 : 0o777
    if unsafe mkdir(path, bits) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex {
      try make(String(path[..<slash]), mode: mode)
      if unsafe mkdir(path, bits) == 0 || errno == EEXIST { return }
    }
    throw SystemError(errno).failure("make folder", path)
  }

  /// Sorted names in the directory; none if there is no such directory.
  public static func names(_ path: String) throws(Failure) -> [String] {
    guard let folder = unsafe opendir(path) else {
      guard errno != ENOENT else { return [] }
      throw SystemError(errno).failure("read folder", path)
    }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while true {
      // Nil is the end or an error, which only `errno` distinguishes. A partial list must not look complete.
      errno = 0
      guard let entry = unsafe readdir(folder) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    guard errno == 0 else { throw SystemError(errno).failure("read folder", path) }
    return names.sorted()
  }

  /// Bytes that this process can write on the disk of the directory; nil if there is no such directory.
  public static func freeBytes(_ path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt(status.f_bavail) * UInt(status.f_frsize))
  }

  /// Whether another user owns the directory, and everybody could make it, as in /tmp: the owner could read its files.
  public static func isForeign(_ path: String) -> Bool {
    guard let own = File.status(path), let parent = File.status(containing(path)) else { return false }
    return own.st_uid != geteuid() && own.st_uid != 0 && parent.st_mode & S_IWOTH != 0
  }

  /// Creates a directory for a user, as root. An existing one must be empty or the user's own.
  public static func make(_ path: String, ownedBy account: Account) throws(Failure) {
    try make(path)
    guard let status = File.status(path) else { throw SystemError(errno).failure("read", path) }
    guard status.st_uid != account.user else { return }
    guard try names(path).isEmpty else {
      throw Failure(.conflict, "'\(path)' is not empty, and belongs to another user")
    }
    guard unsafe chown(path, account.user, account.group) == 0 else {
      throw SystemError(errno).failure("change the owner of", path)
    }
  }

  /// Removes the directory with its content, and links without following them. A missing directory is no error.
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

  /// Removes the directory unless it has content.
  public static func removeIfEmpty(_ path: String) { unsafe _ = rmdir(path) }

  /// Removes a directory in which another process may still write: repeats for up to two seconds, despite signals.
  public static func removePersistently(_ path: String) {
    for _ in 0..<40 where (try? remove(path)) == nil || File.exists(path) {
      pauseThroughSignals(milliseconds: 50)
    }
  }

  /// Whether this user has no permission to enter the folder.
  public static func isInaccessible(_ path: String) -> Bool {
    unsafe access(path, X_OK) != 0 && errno == EACCES
  }

  /// Whether this user can write in the directory or, if it is missing, in its nearest existing parent.
  public static func isWritable(_ path: String) -> Bool {
    var path = path
    while !File.exists(path), containing(path) != path { path = containing(path) }
    return unsafe access(path, W_OK | X_OK) == 0
  }
}
