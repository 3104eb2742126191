import System

/// Responds to GET from a cached response where the service or the user allows it (RFC 9111, as a private cache).
///
/// A request that may change the service's data removes all cached responses of its origin: a read after a write
/// returns what was written.
public final class CachingTransport: Transport {
  private let inner: any Transport
  private let folder: String
  private let maxAge: Int64?
  private let sizeLimit: Int
  private let time: any TimeKeeper
  private let report: (String) -> Void
  private var hasReported = false

  /// `maxAge` (`--max-age`) is in seconds: a cached response up to this age is used, and none if it is 0. Every
  /// response is then stored, unless the service forbids it with `no-store`. `sizeLimit` bounds the bytes of all cached
  /// responses; the oldest are removed first.
  public init(
    _ inner: any Transport, folder: String, maxAge: Int64? = nil, sizeLimit: Int = 64 << 20,
    time: any TimeKeeper, report: @escaping (String) -> Void
  ) {
    self.inner = inner
    self.folder = folder
    self.maxAge = maxAge
    self.sizeLimit = sizeLimit
    self.time = time
    self.report = report
  }

  public func send(_ request: Request) throws(Failure) -> ReceivedResponse {
    switch request.method {
    case .get where !CacheControl(request.headers).noStore: try cachedOrSent(request)
    case .get, .head, .options: try inner.send(request)
    case .post, .put, .delete, .patch: try sendAndInvalidate(request)
    }
  }

  public func discard(_ request: Request) {
    attempt { () throws(Failure) in try File.remove(path(of: request)) }
  }

  private func path(of request: Request) -> String { "\(folder)/\(CacheEntry.fileName(for: request))" }

  private func cachedOrSent(_ request: Request) throws(Failure) -> ReceivedResponse {
    let path = path(of: request)
    let maxAge = maxAge ?? request.maxAge.map { Int64($0.wholeSeconds) }
    guard let entry = (try? File.read(path)).flatMap(CacheEntry.init) else {
      return try store(try inner.send(request), path, evenIfStale: maxAge != nil)
    }
    // Ages are whole seconds: a response of the current second has age 0, but is not a new one.
    let mustSend = request.maxAge == .zero || maxAge == 0
    if !mustSend, let age = entry.age(time.now()), maxAge.map({ age <= $0 }) ?? (age < entry.lifetime) {
      return entry.response(age: age)
    }
    // A stored response is replaced, even by one that is stale at once.
    return try store(try inner.send(request), path, evenIfStale: true)
  }

  /// Returns the response, and stores it if that is allowed and useful; otherwise a former response stays.
  private func store(
    _ response: ReceivedResponse, _ path: String, evenIfStale: Bool
  ) throws(Failure) -> ReceivedResponse {
    let entry = CacheEntry(response: response.response, stored: time.now().seconds)
    guard response.status == 200, isStorable(entry, evenIfStale: evenIfStale) else { return response }
    attempt { () throws(Failure) in
      try Folder.make(folder)
      try DisposableFile.replace(path, with: entry.bytes)
      try DisposableFile.prune(folder, to: sizeLimit, where: CacheEntry.isFileName)
    }
    try Interruption.check()
    return response
  }

  private func isStorable(_ entry: CacheEntry, evenIfStale: Bool) -> Bool {
    guard entry.response.body.count <= sizeLimit / 4, entry.response.headers["Vary"] != "*",
      !CacheControl(entry.response.headers).noStore
    else { return false }
    return evenIfStale || entry.lifetime > 0
  }

  private func sendAndInvalidate(_ request: Request) throws(Failure) -> ReceivedResponse {
    // Also when there is no response: the change may have been made.
    defer {
      let prefix = CacheEntry.namePrefix(for: request.url)
      attempt { () throws(Failure) in
        for name in try Folder.names(folder) where name.hasPrefix(prefix) && CacheEntry.isFileName(name) {
          try File.remove("\(folder)/\(name)")
        }
      }
    }
    return try inner.send(request)
  }

  /// Reports only the first error: the response does not depend on the cache.
  private func attempt(_ work: () throws(Failure) -> Void) {
    do throws(Failure) {
      try work()
    } catch {
      if !hasReported { report("cache: \(error.message)") }
      hasReported = true
    }
  }
}
