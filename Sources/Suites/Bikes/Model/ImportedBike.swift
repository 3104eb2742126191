import JSON
import System

/// A row of an import. Exports also have id, owner and state, which count if an admin imports them.
struct ImportedBike: Hashable, Sendable {
  var profile: BikeProfile
  /// The id; nil without one, and for an id that `hw serve` does not assign. The bike then gets a new id.
  var number: Int?
  var owner: String?
  var state = BikeState.available
  /// The number of equal rows up to this one. Equal rows are different bikes.
  var copy = 1

  /// Limited because other clients wait meanwhile.
  static let mostPerRequest = 250

  init(
    _ profile: BikeProfile, id: String? = nil, owner: String? = nil, state: BikeState = .available
  ) {
    self.profile = profile
    self.state = state
    number = id.flatMap(ImportedBike.number)
    self.owner = owner.flatMap { UserName.isValid($0) ? $0 : nil }
  }

  static let withoutPIN = Failure(
    .usage, "the bike has no PIN", hint: "'hw bikes export --pins' writes a file with PINs")

  static let numbers = 0...2_000_000_000

  private static func number(_ id: String) -> Int? {
    guard let number = Int(id), numbers.contains(number), id == String(number) else { return nil }
    return number
  }
}

extension ImportedBike {
  init(_ json: JSON) throws(Failure) {
    if json["pin"].kind == .null { throw ImportedBike.withoutPIN }
    let id = json["id"]
    self.init(
      try BikeProfile(json), id: id.kind == .number ? String(try id.int) : try? id.orNull?.string,
      owner: try? json["owner"].orNull?.string,
      state: try json["state"].orNull.map(BikeState.init) ?? .available)
  }

  init(feature json: JSON) throws(Failure) {
    self.init(
      try BikeProfile(feature: json), id: try? json["id"].orNull?.string,
      owner: try? json["properties"]["owner"].orNull?.string,
      state: try json["properties"]["state"].orNull.map(BikeState.init) ?? .available)
  }

  var bytes: [UInt8] { JSONWriter.bytes(write) }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      if let number { writer.member("id", String(number)) }
      BikeChange(profile).writeMembers(to: &writer)
      if let owner { writer.member("owner", owner) }
      if state != .available { writer.member("state", state.rawValue) }
      if copy > 1 { writer.member("copy", copy) }
    }
  }
}
