/// How many descriptors this process may hold open at once.
public enum DescriptorLimit {
  /// Raises the limit as far as the administrator allows, for a program that holds many sockets, and tells it.
  public static func raise() -> Int {
    var limit = rlimit()
    guard unsafe getrlimit(Platform.openFiles, &limit) == 0 else { return 256 }
    if limit.rlim_cur < limit.rlim_max {
      var wanted = limit
      wanted.rlim_cur = limit.rlim_max
      if unsafe setrlimit(Platform.openFiles, &wanted) == 0 { limit = wanted }
    }
    return Int(clamping: limit.rlim_cur)
  }
}

extension Platform {
  #if canImport(Glibc)
    static var openFiles: __rlimit_resource_t { Int32(RLIMIT_NOFILE.rawValue) }
  #else
    static var openFiles: Int32 { RLIMIT_NOFILE }
  #endif
}
