import CLibraries

/// Reads and writes files. At every instant, and after a crash, a replaced file has the old content or the new.
public enum File {
  public enum Access: Sendable {
    case read
    /// Created if missing; never truncated.
    case readWrite
    /// Created if missing; every write appends.
    case append
    /// Created; an existing name is an error.
    case createNew
  }

  /// Permissions of a new file: `.secret` for everything with a token or a PIN.
  public enum Mode: UInt32, Sendable {
    case secret = 0o600
    case shared = 0o644
  }

  public static func open(
    _ path: String, _ access: Access, mode: Mode = .secret
  ) throws(SystemError) -> FileDescriptor {
    let flags =
      switch access {
      case .read: O_RDONLY
      // A symbolic link of another user could lead to a file of this user.
      case .readWrite: O_RDWR | O_CREAT | O_NOFOLLOW
      case .append: O_WRONLY | O_CREAT | O_APPEND
      case .createNew: O_WRONLY | O_CREAT | O_EXCL
      }
    return FileDescriptor(rawValue: try call { unsafe hw_open(path, flags, mode.rawValue) })
  }

  /// Returns the whole file; nil if there is none. Throws if it is larger than `limit` bytes.
  public static func read(_ path: String, limit: Int = 64 << 20) throws(Failure) -> [UInt8]? {
    do throws(SystemError) {
      let file = try open(path, .read)
      defer { file.close() }
      var contents: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      while true {
        let count = try file.read(into: &buffer)
        guard count > 0 else { return contents }
        guard contents.count + count <= limit else { throw SystemError(EFBIG) }
        contents.append(contentsOf: buffer[..<count])
      }
    } catch .noSuchFile {
      return nil
    } catch {
      throw error.failure("read", path)
    }
  }

  /// Replaces the file atomically: syncs a temporary file beside it, renames it, and syncs the directory. A symbolic
  /// link stays and its target is replaced. Devices, pipes and open descriptors (`/dev/null`, a FIFO, `>(…)` of a
  /// shell) are written in place. `prepare` is called before the rename.
  public static func replace(
    _ path: String, with contents: [UInt8], mode: Mode = .secret,
    prepare: (FileDescriptor) throws(SystemError) -> Void = { _ in }
  ) throws(Failure) {
    try replace(path, with: contents, mode: mode, prepare: prepare) { file throws(SystemError) in
      try file.synchronize()
    }
  }

  /// Creates the file atomically; returns false if the name exists.
  public static func create(
    _ path: String, with contents: [UInt8], mode: Mode = .secret
  ) throws(Failure) -> Bool {
    let temporary = temporaryName(beside: path)
    defer { unsafe _ = unlink(temporary) }
    return try operation("write", path) { () throws(SystemError) in
      let file = try openTemporary(temporary, mode: mode)
      defer {
        file.close()
        removeAbandoned(beside: path)
      }
      try file.writeAll(contents)
      try file.synchronize()
      return try link(temporary, to: path)
    }
  }

  public static func temporaryName(beside path: String) -> String {
    "\(path).\(getpid()).\(UInt32.random(in: 0 ... .max)).tmp"
  }

  /// Opens and locks a new temporary file: other containers cannot look up the process by its number.
  public static func openTemporary(_ path: String, mode: Mode) throws(SystemError) -> FileDescriptor {
    let file = try open(path, .createNew, mode: mode)
    _ = flock(file.rawValue, LOCK_EX | LOCK_NB)
    return file
  }

  /// Ends of the names of files that SQLite makes beside a database.
  public static let databaseSuffixes = ["-wal", "-shm", "-journal"]

  /// Removes temporary files that killed processes left beside the file; ignores errors.
  public static func removeAbandoned(beside path: String) {
    removeAbandoned(in: Folder.containing(path), of: "\(path.split(separator: "/").last ?? "").")
  }

  /// Removes temporary files of killed processes whose names begin with `prefix`. Without a prefix, removes all of
  /// them, so the directory must be one of hw.
  public static func removeAbandoned(in folder: String, of prefix: String = "") {
    for name in (try? Folder.names(folder)) ?? [] where name.hasPrefix(prefix) && name.hasSuffix(".tmp") {
      // Ends in the process, a random number and `tmp`, as `temporaryName` makes it.
      let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
      guard prefix.isEmpty ? parts.count >= 3 : parts.count == 3,
        let process = pid_t(parts[parts.count - 3]), process > 0, UInt32(parts[parts.count - 2]) != nil,
        kill(process, 0) == -1, errno == ESRCH, let file = openOwn("\(folder)/\(name)")
      else { continue }
      defer { file.close() }
      guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { continue }
      for suffix in databaseSuffixes + [""] { unsafe _ = unlink("\(folder)/\(name)\(suffix)") }
    }
  }

  /// Opens a regular file of this user, without waiting for a FIFO that another user put there.
  private static func openOwn(_ path: String) -> FileDescriptor? {
    let descriptor = unsafe hw_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor != -1 else { return nil }
    let file = FileDescriptor(rawValue: descriptor)
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
    {
      return file
    }
    file.close()
    return nil
  }

  /// Links `file` to `path`, or renames it on a file system without links; returns false if `path` exists.
  public static func link(_ file: String, to path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try call { unsafe linkat(AT_FDCWD, file, AT_FDCWD, path, 0) }
      return true
    } catch .fileExists {
      return false
    } catch {
      guard [EPERM, EOPNOTSUPP].contains(error.number), !exists(path) else { throw error }
      try call { unsafe rename(file, path) }
      return true
    }
  }

  /// Calls `synchronize` for the temporary file before the rename, and for the directory after it. With nil, syncs
  /// nothing and leaves abandoned files.
  static func replace(
    _ path: String, with contents: [UInt8], mode: Mode,
    prepare: (FileDescriptor) throws(SystemError) -> Void = { _ in },
    synchronize: ((FileDescriptor) throws(SystemError) -> Void)?
  ) throws(Failure) {
    guard let target = try target(of: path) else { return try write(contents, inPlace: path) }
    if synchronize != nil { removeAbandoned(beside: target) }
    let temporary = temporaryName(beside: target)
    do throws(SystemError) {
      let file = try openTemporary(temporary, mode: mode)
      defer { file.close() }
      try file.writeAll(contents)
      try prepare(file)
      try synchronize?(file)
      try call { unsafe rename(temporary, target) }
    } catch {
      unsafe _ = unlink(temporary)
      // The kernel calls the working directory busy.
      let cause = error == SystemError(EBUSY) && isFolder(target) ? SystemError(EISDIR) : error
      throw cause.failure("write", path)
    }
    guard let synchronize else { return }
    do throws(SystemError) {
      let folder = try open(Folder.containing(target), .read)
      defer { folder.close() }
      try synchronize(folder)
    } catch {
      // The file is replaced. A directory that may be written but not read, or whose file system has no sync for
      // directories, cannot be synced: after a loss of power the old file may be back, which is complete as well.
    }
  }

  /// Path of the regular file to replace; nil if the path is written in place.
  static func target(of path: String) throws(Failure) -> String? {
    try operation("write", path) { () throws(SystemError) in
      if case .file(let target) = try Destination(path) { return target }
      return nil
    }
  }

  private static func write(_ contents: [UInt8], inPlace path: String) throws(Failure) {
    try operation("write", path) { () throws(SystemError) in
      switch try Destination(path) {
      case .descriptor(let descriptor): try descriptor.writeAll(contents)
      case .file: throw SystemError(EACCES)  // The path has changed meanwhile.
      case .special(let target):
        // Another user may have put a link, or a file of this user, in its place.
        let flags = O_WRONLY | O_NOCTTY | O_NOFOLLOW
        let file = FileDescriptor(rawValue: try call { unsafe hw_open(target, flags, 0) })
        defer { file.close() }
        var status = stat()
        guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
          throw SystemError(EACCES)
        }
        try file.writeAll(contents)
      }
    }
  }

  /// Removes the file; returns false if there was none.
  @discardableResult
  public static func remove(_ path: String) throws(Failure) -> Bool {
    do throws(SystemError) {
      try call { unsafe unlink(path) }
      return true
    } catch .noSuchFile {
      return false
    } catch {
      throw error.failure("remove", path)
    }
  }

  /// Identity of a file, which `replace` changes.
  public struct Identity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t
    let isSocket: Bool

    init?(_ path: String) {
      var status = stat()
      guard unsafe lstat(path, &status) == 0 else { return nil }
      device = status.st_dev
      number = status.st_ino
      isSocket = status.st_mode & S_IFMT == S_IFSOCK
    }
  }

  /// Identity of a regular file or directory; nil for devices, pipes, open descriptors and missing files.
  public static func identity(_ path: String) -> Identity? {
    guard case .file(let target)? = try? Destination(path) else { return nil }
    return Identity(target)
  }

  /// Removes the file unless another one has its name by now. A symbolic link stays.
  public static func remove(_ path: String, ifItIs identity: Identity) throws(Failure) {
    guard case .file(let target)? = try? Destination(path), self.identity(target) == identity else { return }
    try remove(target)
  }

  /// False if there is no such file or no access to it. Any other error counts as true: opening the file reports it.
  public static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0 || ![ENOENT, ENOTDIR, EACCES].contains(errno)
  }

  /// Returns whether the file exists, for a caller that would create it. Throws if this cannot be known.
  public static func certainlyExists(_ path: String) throws(Failure) -> Bool {
    do throws(SystemError) {
      try call { unsafe access(path, F_OK) }
      return true
    } catch {
      guard [ENOENT, ENOTDIR].contains(error.number) else { throw error.failure("read", path) }
      return false
    }
  }

  static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  public static func isReadableByOthers(_ path: String) -> Bool {
    status(path).map { $0.st_mode & (S_IRGRP | S_IROTH) != 0 } ?? false
  }

  /// Whether the path is a device, a FIFO or a socket.
  public static func isSpecial(_ path: String) -> Bool {
    status(path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
  }

  public static func isFolder(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  static func isExecutable(_ path: String) -> Bool {
    guard let status = status(path), status.st_mode & S_IFMT == S_IFREG else { return false }
    return unsafe access(path, X_OK) == 0
  }

  /// Whether another user than this one and root owns the file or may write it. The group of this process does not
  /// count: on most systems it is the user's own. Devices have no content.
  public static func isChangeableByOthers(_ path: String) -> Bool {
    guard let status = status(path), status.st_mode & S_IFMT != S_IFCHR else { return false }
    let isForeign = status.st_uid != geteuid() && status.st_uid != 0
    let isOpen = status.st_mode & S_IWOTH != 0 || status.st_mode & S_IWGRP != 0 && status.st_gid != getegid()
    return isForeign || isOpen
  }

  /// Size in bytes; nil if there is no such file. Opens nothing: closing a file would release this process's locks.
  public static func size(_ path: String) -> Int? { status(path).map { Int($0.st_size) } }

  /// Path of a file with every symbolic link resolved; the path itself if there is no such file.
  public static func realPath(_ path: String) -> String {
    guard let resolved = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

/// Target of a path that is to be replaced.
enum Destination {
  /// A regular file, a name that is not taken, or a directory, for which the rename fails with the right error.
  case file(String)
  /// A device, a FIFO or a socket, which a rename would destroy.
  case special(String)
  /// Open descriptor of this process: `/dev/stdout`, or `/dev/fd/63` for `>(…)`. Its file may have no name.
  case descriptor(FileDescriptor)

  /// Throws `EACCES` for a symbolic link that is not trusted, since it could lead to any file of this user.
  init(_ path: String) throws(SystemError) {
    var target = path
    for _ in 0...Destination.linkLimit {
      if let descriptor = Destination.descriptor(target) {
        self = .descriptor(descriptor)
        return
      }
      guard let next = Destination.linkTarget(target) else {
        self = File.isSpecial(path) ? .special(target) : .file(target)
        return
      }
      guard Destination.isTrusted(target) else { throw SystemError(EACCES) }
      target = next
    }
    // Links in a circle: opening it fails with the right error.
    self = .special(path)
  }

  private static func descriptor(_ path: String) -> FileDescriptor? {
    guard let slash = path.lastIndex(of: "/"), let number = Int32(path[path.index(after: slash)...]),
      File.realPath(Folder.containing(path)) == "/proc/\(getpid())/fd"
    else { return nil }
    return FileDescriptor(rawValue: number)
  }

  /// Whether to follow a symbolic link, as Linux decides if `fs.protected_symlinks` is set. In a shared directory such
  /// as /tmp, its owner must be this user or the owner of the directory. Elsewhere every owner is trusted, but root
  /// trusts other owners only in directories of root that are not shared.
  private static func isTrusted(_ link: String) -> Bool {
    var (own, folder) = (stat(), stat())
    guard unsafe lstat(link, &own) == 0, unsafe stat(Folder.containing(link), &folder) == 0 else {
      return false
    }
    if own.st_uid == geteuid() { return true }
    let isShared = folder.st_mode & (S_ISVTX | S_IWOTH) == S_ISVTX | S_IWOTH
    if geteuid() == 0 { return folder.st_uid == 0 && !isShared }
    return !isShared || own.st_uid == folder.st_uid
  }

  /// Limit of Linux.
  private static let linkLimit = 40

  private static func linkTarget(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count != -1 else { return nil }
    let target = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return target.utf8.first == UInt8(ascii: "/") ? target : "\(Folder.containing(path))/\(target)"
  }
}

extension FileDescriptor {
  /// Gives the file the owner and the group of the directory if this process is root.
  public func takeOwnerAsRoot(of folder: String) throws(SystemError) {
    guard geteuid() == 0 else { return }
    var status = stat()
    try call { unsafe stat(folder, &status) }
    try call { fchown(rawValue, status.st_uid, status.st_gid) }
  }
}
