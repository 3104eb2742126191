import Store
import System

/// Divides the filling of a cache over the turns of a server, so that no request delays others. A handler does a part
/// of the work, keeps the result for all requests, and returns `Reply.unfinished`: the server calls it again after it
/// has served others. In a command, and on a worker of a database server, no request waits: the work is done at once.
public struct DividedRead {
  private let isShared: Bool
  private let time: any TimeKeeper

  /// Much shorter than a delay that people notice.
  private static let length = Duration.milliseconds(10)

  public init(_ store: Store, time: any TimeKeeper) {
    isShared = store.isShared
    self.time = time
  }

  public func divides(_ call: Call) -> Bool { call.caller != .local && !isShared }

  /// Calls `step` until it returns false. Returns false if the time of a part ends before.
  public func run(_ call: Call, _ step: () throws(Failure) -> Bool) throws(Failure) -> Bool {
    let divides = divides(call)
    let end = time.uptime() + DividedRead.length
    while try step() {
      if divides, time.uptime() >= end { return false }
    }
    return true
  }
}
