import HTTP
import Server
import System

/// The routes of the General Bikeshare Feed. A file is generated when a bike has changed since its last request.
final class FeedRoutes {
  private let cache: BikeReadCache
  private let system: FeedSystem
  /// The address of the server for others, with a slash at the end; nil for that of the request.
  private let publicAddress: String?
  private let time: any TimeKeeper
  private let start: Timestamp
  private let slices: Slices
  private var files: [GBFS.Version: StatusFile] = [:]
  /// Files that are generated in parts.
  private var unfinished: [GBFS.Version: UnfinishedFile] = [:]

  /// The file of the free bikes.
  private struct StatusFile {
    /// The change of the bikes that it was generated after.
    let change: Int
    let tag: String
    let bytes: [UInt8]
  }

  private struct UnfinishedFile {
    let feed: GBFS
    let change: Int
    let clearCount: Int
    /// When it was begun, by the uptime.
    let start: Duration
    var tag: EntityTag
    /// The bikes that are not in it yet.
    var rest: ArraySlice<BikeReadCache.Entry>
    var bytes: [UInt8]
  }

  private static let bikesPerStep = 500
  private static let longestGeneration = Duration.seconds(5)

  init(
    _ cache: BikeReadCache, _ system: FeedSystem, publicURL: String?, time: any TimeKeeper, _ slices: Slices
  ) {
    self.cache = cache
    self.system = system
    publicAddress = publicURL.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
    self.time = time
    self.slices = slices
    start = time.now()
  }

  var routes: [Route] {
    [
      Route(.get, "/gbfs/gbfs.json") { call throws(Failure) in try self.feed(call, nil) },
      Route(.get, "/gbfs/:version/:file") { call throws(Failure) in try self.feed(call, call["version"]) },
    ]
  }

  private func feed(_ call: Call, _ version: String?) throws(Failure) -> Response {
    let version = try version.map { text throws(Failure) in
      guard let version = GBFS.Version(rawValue: text) else {
        throw Failure(.notFound, "no feed of version '\(text)'")
      }
      return version
    }
    let name = version == nil ? "gbfs.json" : call["file"]
    let feed = GBFS(version: version ?? .three, base: "\(address(call))gbfs/", system: system, time: start)
    if name == feed.statusName { return try status(feed.version, call) }
    guard let file = feed.file(name, vehicles: { [] }) else {
      throw Failure(.notFound, "the feed has no file '\(name)'")
    }
    return response(file, name, call)
  }

  private func address(_ call: Call) -> String {
    if let publicAddress { return publicAddress }
    // HTTP allows an empty one, an address does not.
    let host = call.header("Host").flatMap { $0.isEmpty ? nil : $0 } ?? "localhost"
    return "http://\(host)/"
  }

  private func status(_ version: GBFS.Version, _ call: Call) throws(Failure) -> Response {
    let file = try statusFile(version, call)
    if let known = call.header("If-None-Match"), EntityTag.matches(known, file.tag) {
      return Response(304, headers: ["ETag": file.tag])
    }
    var response = response(file.bytes, "vehicle_status.json", call)
    response.headers["ETag"] = file.tag
    return response
  }

  private func statusFile(_ version: GBFS.Version, _ call: Call) throws(Failure) -> StatusFile {
    try cache.load(slices, call)
    if let file = files[version], file.change == cache.changeCount { return file }
    var file = usable(unfinished.removeValue(forKey: version)) ?? begin(version)
    do throws(Failure) {
      try slices.run(call) { () throws(Failure) in
        for entry in file.rest.prefix(FeedRoutes.bikesPerStep) {
          file.tag.add(entry.revision)
          file.feed.append(cache.json(of: entry, for: .feed), to: &file.bytes)
        }
        file.rest = file.rest.dropFirst(FeedRoutes.bikesPerStep)
        return !file.rest.isEmpty
      }
    } catch {
      unfinished[version] = file
      throw error
    }
    file.feed.endStatus(&file.bytes)
    // Of the other version only the file of the same state is kept.
    files = files.filter { $0.value.change == file.change }
    let finished = StatusFile(change: file.change, tag: file.tag.text, bytes: file.bytes)
    files[version] = finished
    return finished
  }

  /// A file that was begun long ago, for a client that has gone, has places of then. One that is begun anew after each
  /// change would never be finished.
  private func usable(_ file: UnfinishedFile?) -> UnfinishedFile? {
    guard let file, file.clearCount == cache.clearCount else { return nil }
    let isRecent = time.uptime() - file.start < FeedRoutes.longestGeneration
    return isRecent || file.change == cache.changeCount ? file : nil
  }

  private func begin(_ version: GBFS.Version) -> UnfinishedFile {
    let feed = GBFS(version: version, base: "", system: system, time: time.now())
    return UnfinishedFile(
      feed: feed, change: cache.changeCount, clearCount: cache.clearCount, start: time.uptime(),
      tag: EntityTag(cache.tags, version.rawValue),
      rest: cache.freeByChange()[...], bytes: feed.beginStatus())
  }

  /// What a user reads with a token is for no other reader of a cache.
  private func response(_ file: [UInt8], _ name: String, _ call: Call) -> Response {
    let scope = call.caller.user == nil ? "public" : "private"
    return Response(
      200,
      headers: [
        "Content-Type": "application/json", "Cache-Control": "\(scope), max-age=\(GBFS.ttl(name))",
      ], body: file)
  }
}
