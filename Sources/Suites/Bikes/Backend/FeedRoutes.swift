import HTTP
import Server
import System

/// The feed of the bikes of this server. A file is generated if a bike has changed since the last request.
final class FeedRoutes {
  private let cache: BikeReadCache
  private let system: FeedSystem
  /// The public address with a slash at the end; nil for the address of the request.
  private let publicAddress: String?
  private let time: any TimeKeeper
  private let start: Timestamp
  private let dividedRead: DividedRead
  private var files: [GBFS.Version: StatusFile] = [:]

  private struct StatusFile {
    /// The state of the bikes in the file.
    let changeCount: Int
    let time: Timestamp
    let bytes: [UInt8]
  }

  init(
    _ cache: BikeReadCache, _ system: FeedSystem, publicURL: String?, time: any TimeKeeper,
    _ dividedRead: DividedRead
  ) {
    self.cache = cache
    self.system = system
    publicAddress = publicURL.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
    self.time = time
    self.dividedRead = dividedRead
    start = time.now()
  }

  var routes: [Route] {
    [
      Route(.get, "/gbfs/gbfs.json", reply: { call throws(Failure) in try self.feed(call, nil) }),
      Route(
        .get, "/gbfs/:version/:file", reply: { call throws(Failure) in try self.feed(call, call["version"]) }),
    ]
  }

  private func feed(_ call: Call, _ version: String?) throws(Failure) -> Reply {
    let version = try version.map { text throws(Failure) in
      guard let version = GBFS.Version(rawValue: text) else {
        throw Failure(.notFound, "no feed of version '\(text)'")
      }
      return version
    }
    let name = version == nil ? "gbfs.json" : call["file"]
    let feed = GBFS(version: version ?? .three, base: "\(address(call))gbfs/", system: system, time: start)
    if name == feed.statusName {
      return try statusFile(feed.version, call).map { response($0, name, call) } ?? .unfinished
    }
    guard let file = feed.file(name) else { throw Failure(.notFound, "the feed has no file '\(name)'") }
    return response(file, name, call)
  }

  private func address(_ call: Call) -> String {
    if let publicAddress { return publicAddress }
    // HTTP allows an empty host, an address does not.
    let host = call.header("Host").flatMap { $0.isEmpty ? nil : $0 } ?? "localhost"
    return "http://\(host)/"
  }

  /// The file of the free bikes; nil if they are not completely loaded.
  private func statusFile(_ version: GBFS.Version, _ call: Call) throws(Failure) -> [UInt8]? {
    guard try cache.load(dividedRead, call) else { return nil }
    let feed = GBFS(version: version, base: "", system: system, time: time.now())
    // A file that is older than its lifetime is generated again: its time states when the content was correct.
    if let file = files[version], file.changeCount == cache.changeCount,
      feed.time.seconds - file.time.seconds < Int64(GBFS.ttl(feed.statusName))
    {
      return file.bytes
    }
    guard let free = try cache.free(in: nil, for: .feed, dividedRead, call) else { return nil }
    let bytes = feed.status(free.lazy.map { [cache] in cache.json(of: $0, for: .feed) })
    // Keeps files of the current state only.
    files = files.filter { $0.value.changeCount == cache.changeCount }
    files[version] = StatusFile(changeCount: cache.changeCount, time: feed.time, bytes: bytes)
    return bytes
  }

  /// Marks responses to users as private, so that shared caches do not send them to others.
  private func response(_ file: [UInt8], _ name: String, _ call: Call) -> Reply {
    let scope = call.caller.user == nil ? "public" : "private"
    let headers: Headers = [
      "Content-Type": "application/json", "Cache-Control": "\(scope), max-age=\(GBFS.ttl(name))",
    ]
    return .response(Response(200, headers: headers, body: file))
  }
}
