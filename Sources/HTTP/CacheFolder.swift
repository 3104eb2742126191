import System

/// The cached responses of all services, for a user who looks at them or clears them.
public struct CacheFolder: Sendable {
  private let path: String

  public init(_ path: String) {
    self.path = path
  }

  /// A cached response.
  public struct Stored: Sendable {
    /// The address of the request, with secrets masked.
    public let source: String
    /// When the service sent it, or confirmed it: it may have been in upstream caches before it was received.
    public let asOf: Timestamp
    /// Until when it is used without a request. Nil if the service is asked each time, unless an option allows more.
    public let expires: Timestamp?
    public let bytes: Int
  }

  /// Newest first. Files that are damaged or of another version are left out: they are never used.
  public func responses() throws(Failure) -> [Stored] {
    var responses: [Stored] = []
    for name in try files() {
      guard let bytes = try File.read("\(path)/\(name)"), let entry = CacheEntry(bytes) else { continue }
      let (lifetime, sent) = (entry.lifetime, entry.sent)
      responses.append(
        Stored(
          source: entry.source, asOf: Timestamp(seconds: sent),
          expires: lifetime > 0 ? Timestamp(seconds: sent + lifetime) : nil, bytes: bytes.count))
    }
    return responses.sorted { ($1.asOf, $0.source) < ($0.asOf, $1.source) }
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
