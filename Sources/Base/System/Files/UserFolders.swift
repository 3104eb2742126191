/// Directories of hw (XDG Base Directory Specification). The code that first writes in them creates them, mode 0700.
public struct UserFolders: Sendable {
  private let environment: Environment

  public init(_ environment: Environment) { self.environment = environment }

  public var config: String { get throws(Failure) { try path("XDG_CONFIG_HOME", ".config") } }
  public var data: String { get throws(Failure) { try path("XDG_DATA_HOME", ".local/share") } }
  /// Directory of rate limits and snapshots.
  public var state: String { get throws(Failure) { try path("XDG_STATE_HOME", ".local/state") } }
  public var cache: String { get throws(Failure) { try path("XDG_CACHE_HOME", ".cache") } }

  private func path(_ variable: String, _ usual: String) throws(Failure) -> String {
    // The specification: "all paths must be absolute; a relative one is invalid and should be ignored".
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/hw" }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw Failure(
        .storage, "no home folder to keep files in: HOME is not set to an absolute path",
        hint: "set HOME or \(variable)")
    }
    // Root could create any directory, but a home such as /nonexistent must not be created. A home that cannot be
    // examined may exist, and is not ignored.
    let parent = Folder.containing(home)
    let isMissing = (try? File.certainlyExists(home)) == false
    guard geteuid() != 0 || !isMissing || parent != "/" && File.isFolder(parent) else {
      throw Failure(
        .storage, "no home folder to keep files in: '\(home)' does not exist", hint: "set HOME or \(variable)"
      )
    }
    return "\(home)/\(usual)/hw"
  }
}
