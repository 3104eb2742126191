public enum Executable {
  /// The program that a shell with this environment would run; nil if there is none.
  public static func find(_ name: String, in environment: Environment) -> String? {
    guard !name.contains("/") else { return File.isExecutable(name) ? name : nil }
    return searchPath(of: environment).lazy.map { "\($0)/\(name)" }.first(where: File.isExecutable)
  }

  /// The folders of `PATH`; an empty entry means the current one.
  static func searchPath(of environment: Environment) -> [String] {
    (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
      .split(separator: ":", omittingEmptySubsequences: false).map { $0.isEmpty ? "." : String($0) }
  }

  static func path(of arguments: [String], in environment: Environment) throws(SystemError) -> String {
    guard let name = arguments.first else { throw .noSuchFile }
    if let path = find(name, in: environment) { return path }
    throw name.contains("/") && File.exists(name) ? .notPermitted : .noSuchFile
  }

  /// The file that this process runs; nil if the system does not report it.
  public static var itself: String? {
    let path = File.realPath("/proc/self/exe")
    return path == "/proc/self/exe" ? nil : path
  }

  /// Sorted names of the programs on `PATH` that begin with `prefix`.
  public static func names(beginningWith prefix: String, in environment: Environment) -> [String] {
    var names: Set<String> = []
    for folder in searchPath(of: environment) {
      // A missing or unreadable directory has no programs.
      for name in (try? Folder.names(folder)) ?? [] where name.hasPrefix(prefix) {
        if File.isExecutable("\(folder)/\(name)") { names.insert(name) }
      }
    }
    return names.sorted()
  }
}
