import Server
import System

/// Who asks, and so what they may see and do.
enum Caller {
  /// The service knows no people: everybody may everything, as with the original.
  case anybody
  case stranger
  case user(String)

  var name: String? {
    if case .user(let name) = self { return name }
    return nil
  }

  /// Whether the PIN is to be shown beyond what anybody sees: to the owner, and to who has the bike out.
  func sees(owner: String?, renter: String?) -> Bool {
    guard let name else { return false }
    return owner == name || renter == name
  }

  func sees(_ record: BikeTable.Record) -> Bool {
    if case .anybody = self { return true }
    return sees(owner: record.bike.owner, renter: record.renter)
  }

  func hasOut(_ record: BikeTable.Record) -> Bool {
    record.bike.isRented && (record.renter == nil || record.renter == name)
  }

  /// Its owner; of a bike that nobody brought, anyone who is known, while nobody has it out.
  func manages(_ record: BikeTable.Record) -> Bool {
    switch self {
    case .anybody: true
    case .stranger: false
    case .user(let name): record.bike.owner.map { $0 == name } ?? (record.renter ?? name == name)
    }
  }
}

extension BikesBackend {
  /// Who asks. A token that nobody has is refused, also where none is needed.
  func caller(_ call: Call) throws(Failure) -> Caller {
    guard let users else { return .anybody }
    guard let token = BikesBackend.token(call) else { return .stranger }
    guard let name = users.name(of: token) else {
      throw Failure(.unauthorized, "the token is nobody's")
    }
    return .user(name)
  }

  /// Who asks for something that strangers may not.
  func writer(_ call: Call) throws(Failure) -> Caller {
    let caller = try caller(call)
    if case .stranger = caller { throw Failure(.unauthorized, "a token is wanted") }
    return caller
  }

  private static func token(_ call: Call) -> String? {
    if let token = call.header("X-Authorization") { return token }
    guard let field = call.header("Authorization") else { return nil }
    let scheme = "bearer "
    return field.lowercased().hasPrefix(scheme) ? String(field.dropFirst(scheme.count)) : field
  }
}
