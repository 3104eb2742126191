import JSON
import System

/// A row of an import. Exports also have id, owner and state, which count if an admin imports them.
struct ImportedBike: Hashable, Sendable {
  var profile: BikeProfile
  /// The id; without one the bike gets a new id.
  var number: Int?
  var owner: String?
  var state = BikeState.available
  /// The number of equal profiles up to this row. Equal rows are different bikes.
  var copy = 1

  /// Limited because other clients wait meanwhile.
  static let mostPerRequest = 250

  /// Refuses an invalid id or owner. An empty text is none.
  init(
    _ profile: BikeProfile, id: String? = nil, owner: String? = nil, state: BikeState = .available
  ) throws(Failure) {
    self.profile = profile
    self.state = state
    if let id, !id.isEmpty {
      guard let number = Int(id), ImportedBike.numbers.contains(number), id == String(number) else {
        throw Failure(
          .usage, "'\(id)' is not an id: a whole number from 0 to \(ImportedBike.numbers.upperBound)")
      }
      self.number = number
    }
    if let owner, !owner.isEmpty {
      guard UserName.isValid(owner) else { throw Failure(.usage, "'\(owner)' is not the name of a user") }
      self.owner = owner
    }
  }

  static let withoutPIN = Failure(
    .usage, "the bike has no PIN", hint: "'hw bikes export --pins' writes a file with PINs")

  static let numbers = 0...2_000_000_000
}

extension ImportedBike {
  init(_ json: JSON) throws(Failure) {
    if json["pin"].kind == .null { throw ImportedBike.withoutPIN }
    try self.init(BikeProfile(json), json, id: json["id"].orNull)
  }

  /// GDAL writes the id of a feature as a property, and GeoPandas its own numbers as ids.
  init(feature json: JSON) throws(Failure) {
    let values = json["properties"]
    try self.init(BikeProfile(feature: json), values, id: values["id"].orNull ?? json["id"].orNull)
  }

  private init(_ profile: BikeProfile, _ values: JSON, id: JSON?) throws(Failure) {
    try self.init(
      profile, id: id?.stringOrNumber, owner: values["owner"].orNull?.string,
      state: values["state"].orNull.map(BikeState.init) ?? .available)
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
