import Server

extension Caller {
  var name: String? { user?.name }

  /// Owner and renter see the PIN.
  func sees(owner: String?, renter: String?) -> Bool {
    name != nil && (owner == name || renter == name)
  }

  func sees(_ record: BikeTable.Record) -> Bool {
    switch self {
    case .local, .anybody: true
    case .stranger: false
    case .user: sees(owner: record.bike.owner, renter: record.renter)
    }
  }

  func hasRented(_ record: BikeTable.Record) -> Bool {
    record.bike.isRented && (record.renter == nil || record.renter == name)
  }

  /// Owner and admins manage a bike. A bike without an owner is managed by every user, or only by its renter.
  func manages(_ record: BikeTable.Record) -> Bool {
    manages(owner: record.bike.owner, renter: record.renter)
  }

  func manages(owner: String?, renter: String?) -> Bool {
    switch self {
    case .local, .anybody: true
    case .stranger: false
    case .user(let user):
      user.isAdmin || (owner ?? renter ?? user.name) == user.name
    }
  }

  /// The local user is an admin. On a server without users nobody is.
  var isAdmin: Bool { self == .local || user?.isAdmin == true }

  /// The user to whom limits apply, and who sees a part of the history; nil for other callers.
  var ordinaryUser: String? { user.flatMap { $0.isAdmin ? nil : $0.name } }
}
