import Server
import System

/// The permissions of the sender of a request for bikes.
extension Caller {
  var name: String? { user?.name }

  /// Whether the PIN is shown beyond what anybody sees: to the owner and to the renter.
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

  /// The owner manages a bike, and so does an admin. One without an owner is managed by every user, and while it is
  /// rented by its renter.
  func manages(_ record: BikeTable.Record) -> Bool {
    manages(owner: record.bike.owner, renter: record.renter)
  }

  func manages(owner: String?, renter: String?) -> Bool {
    switch self {
    case .local, .anybody: true
    case .stranger: false
    case .user(let user):
      user.isAdmin || (owner.map { $0 == user.name } ?? (renter ?? user.name == user.name))
    }
  }

  /// The local user owns everything; on a server without users nobody is an admin.
  var isAdmin: Bool { self == .local || user?.isAdmin == true }

  /// The user to whose entries the history is restricted; nil for an unrestricted history.
  var historyFilter: String? { user.flatMap { $0.isAdmin ? nil : $0.name } }
}
