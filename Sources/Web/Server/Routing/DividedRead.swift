import Store
import System

/// Divides long work over the turns of a server, so that no request delays the others.
///
/// A handler that reads does a part of the work, keeps what it has, and returns `Reply.unfinished`: the server calls it
/// again after it has served others. Where nobody waits, in a command or on a worker of a database server, it is done at once.
public struct DividedRead {
  private let isShared: Bool
  private let time: any TimeKeeper

  /// The time of one part. Others wait for it, so it is much shorter than a delay that a person notices.
  private static let length = Duration.milliseconds(10)

  public init(_ store: Store, time: any TimeKeeper) {
    isShared = store.isShared
    self.time = time
  }

  /// Whether the work of this request is divided.
  public func divides(_ call: Call) -> Bool { call.caller != .local && !isShared }

  /// Calls `step` until it returns false. Returns false if the time of one part has passed before.
  public func run(_ call: Call, _ step: () throws(Failure) -> Bool) throws(Failure) -> Bool {
    let divides = divides(call)
    let end = time.uptime() + DividedRead.length
    while try step() {
      if divides, time.uptime() >= end { return false }
    }
    return true
  }
}
