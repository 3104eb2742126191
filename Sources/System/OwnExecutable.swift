extension Executable {
  /// The file this process runs, wherever it lies now; nil where the system does not tell.
  public static var itself: String? {
    #if os(Linux)
      let path = File.realPath("/proc/self/exe")
      return path == "/proc/self/exe" ? nil : path
    #else
      var count: UInt32 = 4096
      var buffer = [CChar](repeating: 0, count: Int(count))
      guard unsafe _NSGetExecutablePath(&buffer, &count) == 0 else { return nil }
      return unsafe File.realPath(String(cString: buffer))
    #endif
  }

  /// The names that begin so of the programs that a shell with this environment would find, sorted, each once.
  public static func names(beginningWith prefix: String, in environment: Environment) -> [String] {
    var names: Set<String> = []
    for folder in searchPath(of: environment) {
      // A folder that is not there or not for us holds nothing to run.
      for name in (try? Folder.names(folder)) ?? [] where name.hasPrefix(prefix) {
        if File.isExecutable("\(folder)/\(name)") { names.insert(name) }
      }
    }
    return names.sorted()
  }
}
