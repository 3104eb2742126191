import HTTP
import Server
import System

/// The routes of the General Bikeshare Feed.
struct FeedRoutes {
  private let bikes: BikeTable
  private let epoch: String
  private let time: any TimeKeeper

  init(_ bikes: BikeTable, epoch: String, time: any TimeKeeper) {
    self.bikes = bikes
    self.epoch = epoch
    self.time = time
  }

  var routes: [Route] {
    [
      Route(.get, "/gbfs/gbfs.json") { call throws(Failure) in try feed(call, nil) },
      Route(.get, "/gbfs/:version/:file") { call throws(Failure) in try feed(call, call["version"]) },
    ]
  }

  private func feed(_ call: Call, _ version: String?) throws(Failure) -> Response {
    // HTTP allows an empty one, an address does not.
    let host = call.header("Host").flatMap { $0.isEmpty ? nil : $0 } ?? "localhost"
    let version = try version.map { text throws(Failure) in
      guard let version = GBFS.Version(rawValue: text) else {
        throw Failure(.notFound, "no feed of version '\(text)'")
      }
      return version
    }
    let name = version == nil ? "gbfs.json" : call["file"]
    var free: [GBFS.Vehicle] = []
    if name.hasSuffix("_status.json") {
      // Every rental and return gives a bike a new revision. The epoch is never sent, so it is the secret.
      let secret = "gbfs \(epoch)"
      try bikes.each { record in
        guard !record.bike.isRented else { return }
        free.append(GBFS.Vehicle(record.bike, "\(record.revision)", secret: secret))
      }
    }
    let feed = GBFS(
      version: version ?? .three, base: "http://\(host)/gbfs/", time: time.now(), free: free)
    guard let body = feed.file(name) else { throw Failure(.notFound, "the feed has no file '\(name)'") }
    return .json(bytes: body)
  }
}
