/// Programs by name.
public enum Executable {
  /// The program that a shell with this environment would run; nil when there is none.
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
    guard let name = arguments.first, !name.isEmpty else { throw .noSuchFile }
    if let path = find(name, in: environment) { return path }
    throw name.contains("/") && File.exists(name) ? .notPermitted : .noSuchFile
  }
}

extension Environment {
  /// The variables in the form a program is given them.
  var entries: [String] { all.map { "\($0)=\($1)" }.sorted() }

  /// The same with other values for some variables.
  public func setting(_ variables: [String: String]) -> Environment {
    Environment(all.merging(variables) { $1 })
  }
}
