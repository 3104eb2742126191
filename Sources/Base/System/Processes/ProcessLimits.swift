import CLibraries

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
