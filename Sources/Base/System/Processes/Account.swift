public struct Account: Sendable {
  let user: uid_t
  let group: gid_t

  /// Finds a user by the name or the number; a number needs no user. Returns nil for an unknown name.
  public init?(_ name: String) {
    if let entry = unsafe getpwnam(name) {
      unsafe (user, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
    } else if let number = uid_t(name) {
      (user, group) = (number, number)
    } else {
      return nil
    }
  }
}
