import System

/// hw's folders, by the XDG Base Directory Specification. They are named here and made, private, by whoever first
/// writes in them (`Folder.make`, mode 0700).
public struct Folders: Sendable {
  private let environment: Environment

  public init(_ environment: Environment) {
    self.environment = environment
  }

  /// What a person writes, and may keep under version control.
  public var config: String { get throws(Failure) { try path("XDG_CONFIG_HOME", ".config") } }
  /// What must last: the databases.
  public var data: String { get throws(Failure) { try path("XDG_DATA_HOME", ".local/share") } }
  /// What should last, but is no loss: rate limits, snapshots.
  public var state: String { get throws(Failure) { try path("XDG_STATE_HOME", ".local/state") } }
  /// What may be deleted at any time.
  public var cache: String { get throws(Failure) { try path("XDG_CACHE_HOME", ".cache") } }

  private func path(_ variable: String, _ usual: String) throws(Failure) -> String {
    // The specification: "all paths must be absolute; a relative one is invalid and should be ignored".
    if let base = environment[variable], base.hasPrefix("/") { return "\(base)/hw" }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw Failure(
        .storage, "no home folder to keep files in: HOME is not set to an absolute path",
        hint: "set HOME or \(variable)")
    }
    return "\(home)/\(usual)/hw"
  }
}
