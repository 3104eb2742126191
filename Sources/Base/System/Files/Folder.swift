import CLibraries

/// Folders, made as private as what hw keeps in them.
public enum Folder {
  /// The folder that the file is in.
  public static func containing(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the folder and those above it; what exists already stays as it is. Shared ones have what the umask leaves.
  public static func make(_ path: String, mode: File.Mode = .secret) throws(Failure) {
    let bits: mode_t = mode == .secret ? 0o700 : 0o777
    guard unsafe mkdir(path, bits) != 0 else { return }
    switch errno {
    case EEXIST: return
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { fallthrough }
      try make(String(path[..<slash]), mode: mode)
      guard unsafe mkdir(path, bits) == 0 || errno == EEXIST else { fallthrough }
    default: throw SystemError(errno).failure("make folder", path)
    }
  }

  /// The names in the folder, sorted by their bytes; none when there is no such folder.
  public static func names(_ path: String) throws(Failure) -> [String] {
    guard let folder = unsafe opendir(path) else {
      guard errno != ENOENT else { return [] }
      throw SystemError(errno).failure("read folder", path)
    }
    defer { unsafe _ = closedir(folder) }
    var names: [String] = []
    while true {
      // Nil means the end or an error, which only `errno` tells apart. Half a list must not look like a whole one.
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
}

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

extension Folder {
  /// Removes a folder in which another process may write for a moment longer: for up to two seconds, whatever signals come
  /// meanwhile.
  public static func removePersistently(_ path: String) {
    for _ in 0..<40 where (try? remove(path)) == nil || File.exists(path) {
      pauseThroughSignals(milliseconds: 50)
    }
  }
}

/// For cleaning up after a signal, which ends every other wait.
func pauseThroughSignals(milliseconds: Int) {
  var (wait, rest) = (timespec(tv_sec: 0, tv_nsec: milliseconds * 1_000_000), timespec())
  while unsafe nanosleep(&wait, &rest) != 0, errno == EINTR { wait = rest }
}

extension Folder {
  /// Whether this user has no permission to enter the folder.
  public static func isClosed(_ path: String) -> Bool {
    unsafe access(path, X_OK) != 0 && errno == EACCES
  }

  /// Whether something can be written in the folder, which may have to be made first.
  public static func isWritable(_ path: String) -> Bool {
    var path = path
    while !File.exists(path) { path = containing(path) }
    return unsafe access(path, W_OK | X_OK) == 0
  }
}
