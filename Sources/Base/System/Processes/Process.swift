import CLibraries

public enum Arguments {
  /// Arguments after the program's name. Throws for invalid UTF-8, which the standard library would repair, so that a
  /// file of another name would be opened.
  public static func words() throws(Failure) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: bytes) else {
        throw Failure(.usage, "argument \(index) is not valid UTF-8")
      }
      words.append(word)
    }
    return words
  }
}

public enum DescriptorLimit {
  /// Raises the limit of open descriptors as far as the administrator allows, and returns it.
  public static func raise() -> Int {
    let openFiles = Int32(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    unsafe _ = getrlimit(openFiles, &limit)
    limit.rlim_cur = limit.rlim_max
    unsafe _ = setrlimit(openFiles, &limit)
    unsafe _ = getrlimit(openFiles, &limit)
    return Int(clamping: limit.rlim_cur)
  }
}

public enum Memory {
  /// Keeps up to 4 MiB of freed memory for the next allocation. Returning it to the system for every page of a long
  /// list would cost more than reading the page.
  public static func keepFreedPages() { hw_keep_memory(4 << 20) }
}

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
