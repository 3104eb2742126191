import System

public struct CacheFolder: Sendable {
  private let path: String

  public init(_ path: String) {
    self.path = path
  }

  public func total() throws(Failure) -> (files: Int, bytes: Int) {
    let files = try files()
    return (files.count, files.reduce(0) { $0 + (File.size("\(path)/\($1)") ?? 0) })
  }

  /// Removes only files that hw made: the folder may be a link to another one.
  public func clear() throws(Failure) {
    for name in try files() { try File.remove("\(path)/\(name)") }
  }

  private func files() throws(Failure) -> [String] { try Folder.names(path).filter(CacheEntry.isFileName) }
}
