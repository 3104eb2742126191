import System

public enum Caller: Equatable, Sendable {
  /// A command of the same process, which owns everything.
  case local
  /// A client of a server without users.
  case anybody
  /// A client without a token, on a server with users.
  case stranger
  case user(User)

  public var user: User? {
    if case .user(let user) = self { return user }
    return nil
  }
}

/// Authorizes requests before their handlers are called.
///
/// A server is open while nobody else can reach it and it has no users: then it behaves like the original services.
/// Otherwise every request needs the token of a user, except reading from a suite that is declared public.
public final class Access {
  private let users: UserTable
  private let isPublic: Bool
  private let publicSuites: Set<String>

  public init(_ users: UserTable, isPublic: Bool, publicSuites: Set<String>) {
    self.users = users
    // The users may have changed between the start and the first request.
    users.turnEnded()
    self.isPublic = isPublic
    self.publicSuites = publicSuites
  }

  func admit(_ call: inout Call, to suite: String, needsToken: Bool) throws(Failure) {
    let token = Access.token(call.request)
    var user: User?
    if let token { user = try users.user(of: token) }
    let isOpen = isPublic ? false : try users.isUnused
    call.serverHasUsers = !isOpen
    if let user {
      call.caller = .user(user)
    } else if isOpen {
      call.caller = .anybody
    } else if token != nil {
      throw Access.unknownToken
    } else if needsToken || !publicSuites.contains(suite) {
      throw Failure(.unauthorized, "this needs the token of a user")
    } else {
      call.caller = .stranger
    }
  }

  static let unknownToken = Failure(.unauthorized, "no user has this token", cause: .unknownToken)

  func turnEnded() { users.turnEnded() }

  /// Reads `X-Authorization: TOKEN` or `Authorization: Bearer TOKEN`.
  static func token(_ request: ReceivedRequest) -> String? {
    let head = request.head
    if !head.tokenField.isEmpty { return request.text(head.tokenField) }
    guard !head.authorization.isEmpty else { return nil }
    let field = request.text(head.authorization)
    let scheme = "bearer "
    guard field.lowercased().hasPrefix(scheme) else { return field }
    return String(field.dropFirst(scheme.count).drop { $0 == " " })
  }
}
