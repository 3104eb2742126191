import System

/// The cached responses of all services, for a user who clears them.
public struct CacheFolder: Sendable {
  private let path: String

  public init(_ path: String) {
    self.path = path
  }

  /// The number of files and their size together, those of damaged responses included.
  public func total() throws(Failure) -> (files: Int, bytes: Int) {
    let files = try files()
    return (files.count, files.reduce(0) { $0 + (File.size("\(path)/\($1)") ?? 0) })
  }

  /// Removes the files that hw made, and no other: the folder may be a link to another one.
  public func clear() throws(Failure) {
    for name in try files() { try File.remove("\(path)/\(name)") }
  }

  private func files() throws(Failure) -> [String] { try Folder.names(path).filter(CacheEntry.isFileName) }
}
