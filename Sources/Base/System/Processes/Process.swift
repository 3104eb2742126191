import CLibraries

/// The arguments of the process.
public enum Arguments {
  /// The arguments after the program's name, each checked to be UTF-8: the standard library would repair invalid
  /// bytes, and then a file of another name would be opened.
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

/// The limit of open descriptors of this process.
public enum DescriptorLimit {
  /// Raises the limit as far as the administrator allows, for a program with many sockets, and returns it.
  public static func raise() -> Int {
    var wanted = current
    wanted.rlim_cur = wanted.rlim_max
    unsafe _ = setrlimit(openFiles, &wanted)
    return Int(clamping: current.rlim_cur)
  }

  private static let openFiles = Int32(RLIMIT_NOFILE.rawValue)

  private static var current: rlimit {
    var limit = rlimit()
    unsafe _ = getrlimit(openFiles, &limit)
    return limit
  }
}

/// Settings of the heap.
public enum Memory {
  /// Keeps up to 4 MiB of freed memory for the next allocation. To return it to the system and fetch it again for every
  /// page of a long list would cost more than reading the page.
  public static func keepFreedPages() { hw_keep_memory(4 << 20) }
}
