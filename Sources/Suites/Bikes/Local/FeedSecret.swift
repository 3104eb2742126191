import HTTP
import System

/// The secret for vehicle ids of a feed. Without it, trying all ids would identify the bike of a vehicle.
enum FeedSecret {
  private static let format = FileFormat("bikes-feed")

  static func read(in folder: String) throws(Failure) -> String {
    try Folder.make(folder)
    let path = "\(folder)/bikes-feed.secret"
    let file = try LockedFile(path)
    let contents = try file.read(atMost: 256)
    if contents.isEmpty {
      let secret = RandomID.make()
      try file.write(Array("\(format.header)\n\(secret)\n".utf8))
      return secret
    }
    try format.check(headerOf: contents, in: path)
    let secret = contents.split(separator: UInt8(ascii: "\n")).dropFirst().first
    guard let secret, secret.count == 32, secret.allSatisfy(\.isLowercaseHexDigit) else {
      throw Failure(
        .storage, "'\(path)' is damaged: it does not contain a secret of 32 digits",
        hint: "remove it to make another secret; every vehicle id changes then")
    }
    return String(decoding: secret, as: UTF8.self)
  }
}

extension GBFS.Vehicle {
  /// A vehicle whose id changes with `state`, as the specification requires after a ride.
  init(_ bike: Bike, _ state: String, secret: String) {
    self.init(
      id: GBFS.Vehicle.id(of: bike.id, state, secret: secret), place: bike.place,
      isDisabled: bike.state != .available)
  }

  static let idLength = 16

  static func id(of bike: String, _ state: String, secret: String) -> String {
    String(SHA256.hex(Array("\(secret) \(bike) \(state)".utf8)).prefix(idLength))
  }
}
