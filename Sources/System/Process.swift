import CLibraries

/// The words of the command line.
public enum Arguments {
  /// The words after the program's name, each checked to be UTF-8: the standard library would mend what is not, and
  /// then a file of another name would be opened.
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

/// How many descriptors this process may hold open at once.
public enum DescriptorLimit {
  /// Raises the limit as far as the administrator allows, for a program that holds many sockets, and tells it.
  public static func raise() -> Int {
    let openFiles = Int32(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(openFiles, &limit) == 0 else { return 256 }
    if limit.rlim_cur < limit.rlim_max {
      var wanted = limit
      wanted.rlim_cur = limit.rlim_max
      if unsafe setrlimit(openFiles, &wanted) == 0 { limit = wanted }
    }
    return Int(clamping: limit.rlim_cur)
  }
}

/// The heap's own ways.
public enum Memory {
  /// Keeps what is let go of for whoever asks next, up to 4 MiB. Given back to the system and fetched anew for every
  /// page of a long list, it would cost more than reading the page.
  public static func keepFreed() { hw_keep_memory(4 << 20) }
}
