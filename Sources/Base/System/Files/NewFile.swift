import CLibraries

/// File that is written under a temporary name and replaces another one when it is complete.
public final class NewFile: ByteSink, Sendable {
  private let path: String
  private let target: String
  private let temporary: String
  private let file: FileDescriptor

  /// Fails (`usage`) for a device, a pipe or a directory, which nothing can replace. A symbolic link stays.
  public init(replacing path: String, mode: File.Mode = .shared) throws(Failure) {
    guard let target = try File.target(of: path), !File.isFolder(target) else {
      throw Failure(
        .usage, "'\(path)' is not a regular file, and cannot be replaced",
        hint: "redirect the output to it: '>FILE'")
    }
    self.path = path
    self.target = target
    File.removeAbandoned(beside: target)
    let name = File.temporaryName(beside: target)
    temporary = name
    file = try operation("write", path) { () throws(SystemError) in
      try File.openTemporary(name, mode: mode)
    }
    // Keeps the mode of the old file, as '>' does. An old file of another user may only restrict the mode.
    if let old = File.status(target), let new = File.status(name) {
      _ = fchmod(file.rawValue, old.st_mode & (old.st_uid == geteuid() ? 0o777 : new.st_mode) & 0o777)
    }
  }

  public func write(_ bytes: RawSpan) throws(Failure) {
    do throws(SystemError) { try file.writeAll(bytes) } catch { throw error.failure("write", path) }
  }

  public func replace() throws(Failure) {
    try operation("write", path) { () throws(SystemError) in
      try file.synchronize()
      try call { unsafe rename(temporary, target) }
    }
  }

  /// Closes the file, and removes it unless it has replaced the old one.
  public func discard() {
    file.close()
    unsafe _ = unlink(temporary)
  }
}
