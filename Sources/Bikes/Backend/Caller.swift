import Server
import System

/// The sender of a request, and what it may see and do.
enum Caller {
  /// The server has no users: everybody may do everything, as with the original.
  case anybody
  case stranger
  case user(String)

  var name: String? {
    if case .user(let name) = self { return name }
    return nil
  }

  /// Whether the PIN is shown beyond what anybody sees: to the owner and to the renter.
  func sees(owner: String?, renter: String?) -> Bool {
    guard let name else { return false }
    return owner == name || renter == name
  }

  func sees(_ record: BikeTable.Record) -> Bool {
    if case .anybody = self { return true }
    return sees(owner: record.bike.owner, renter: record.renter)
  }

  func hasRented(_ record: BikeTable.Record) -> Bool {
    record.bike.isRented && (record.renter == nil || record.renter == name)
  }

  /// The owner manages a bike. One without an owner is managed by every user, and while it is rented by its renter.
  func manages(_ record: BikeTable.Record) -> Bool {
    switch self {
    case .anybody: true
    case .stranger: false
    case .user(let name): record.bike.owner.map { $0 == name } ?? (record.renter ?? name == name)
    }
  }
}

/// Finds the caller of a request by its token.
struct Authentication {
  /// Nil where the server is open to everybody.
  private let users: UserRegister?

  init(_ users: UserRegister?) { self.users = users }

  var isOpen: Bool { users == nil }

  /// The caller. An unknown token is refused even where none is required.
  func caller(_ call: Call) throws(Failure) -> Caller {
    guard let users else { return .anybody }
    guard let token = Authentication.token(call) else { return .stranger }
    guard let name = users.name(of: token) else {
      throw Failure(.unauthorized, "the token is nobody's")
    }
    return .user(name)
  }

  /// The caller of a request that strangers may not make.
  func knownCaller(_ call: Call) throws(Failure) -> Caller {
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
