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
  /// The bytes that this process can write on the disk of the folder; nil if there is no such folder.
  public static func freeBytes(_ path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt(status.f_bavail) * UInt(status.f_frsize))
  }

  /// Gives a folder of root to a user. One that exists must be empty or the user's own.
  public static func make(_ path: String, ownedBy account: Account) throws(Failure) {
    try make(path)
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw SystemError(errno).failure("read", path) }
    guard status.st_uid != account.user else { return }
    guard try names(path).isEmpty else {
      throw Failure(.conflict, "'\(path)' is not empty, and belongs to another user")
    }
    guard unsafe chown(path, account.user, account.group) == 0 else {
      throw SystemError(errno).failure("change the owner of", path)
    }
  }

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

/// A user of this machine.
public struct Account: Sendable {
  let user: uid_t
  let group: gid_t

  /// Finds a user by the name or the number; a number needs no user. Returns nil for an unknown name.
  public init?(_ name: String) {
    if let entry = unsafe getpwnam(name) {
      unsafe (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    } else if let number = uid_t(name) {
      (user, group) = (number, number)
    } else {
      return nil
    }
  }
}
