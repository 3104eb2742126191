import HTTP
import System

/// The secret behind the vehicle ids of a feed. The ids of bikes are few and their places public: without a secret anyone
/// could find the bike behind a vehicle id by trying them all.
enum FeedSecret {
  /// Reads the secret of this machine, which is made on first use.
  static func read(in folder: String) throws(Failure) -> String {
    try Folder.make(folder)
    let file = try LockedFile("\(folder)/bikes-feed.secret")
    let kept = try file.read(atMost: 32)
    guard kept.count < 32 else { return String(decoding: kept, as: UTF8.self) }
    let secret = BikesClient.randomID()
    try file.write(Array(secret.utf8))
    return secret
  }
}

extension GBFS.Vehicle {
  /// A vehicle whose id changes with `state`, as the specification requires after a ride.
  init(_ bike: Bike, _ state: String, secret: String) {
    let id = SHA256.hex(Array("\(secret) \(bike.id) \(state)".utf8)).prefix(16)
    self.init(name: String(id), place: bike.place)
  }
}
