import CLibraries

/// Waits for many sockets at once (Linux's epoll, level-triggered): an event that was not handled is reported again.
/// Safe although `epoll_event` is not: its data may be a pointer, but here it is always the token.
@safe public final class EventQueue {
  /// Events to wait for. An error or a full hang-up is always reported.
  public enum Interest: Sendable {
    case reading, writing, nothing
  }

  public struct Event: Sendable {
    public let token: UInt64
    public let isReadable: Bool
    public let isWritable: Bool
    /// The connection is closed in both directions.
    public let isBroken: Bool
  }

  private let descriptor: FileDescriptor
  private var events: [epoll_event]

  public init(capacity: Int) throws(SystemError) {
    descriptor = FileDescriptor(rawValue: try call { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    unsafe events = Array(repeating: epoll_event(), count: max(1, capacity))
  }

  deinit { descriptor.close() }

  public func add(_ watched: FileDescriptor, _ interest: Interest, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, watched, interest, token)
  }

  public func change(_ watched: FileDescriptor, _ interest: Interest, token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, watched, interest, token)
  }

  public func remove(_ watched: FileDescriptor) throws(SystemError) {
    try control(EPOLL_CTL_DEL, watched, .nothing, 0)
  }

  /// Returns the number of events within `milliseconds` (-1: no limit); read them with the subscript.
  public func wait(milliseconds: Int32) throws(SystemError) -> Int {
    let capacity = unsafe Int32(clamping: events.count)
    return try Int(
      unsafe events.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
        try call { unsafe epoll_wait(descriptor.rawValue, buffer.baseAddress, capacity, milliseconds) }
      })
  }

  public subscript(_ index: Int) -> Event {
    let flags = unsafe events[index].events
    return Event(
      token: unsafe events[index].data.u64,
      isReadable: flags & EPOLLIN.rawValue != 0,
      isWritable: flags & EPOLLOUT.rawValue != 0,
      isBroken: flags & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0)
  }

  private func control(
    _ operation: Int32, _ watched: FileDescriptor, _ interest: Interest, _ token: UInt64
  ) throws(SystemError) {
    var event = unsafe epoll_event()
    switch interest {
    case .reading: unsafe event.events = EPOLLIN.rawValue
    case .writing: unsafe event.events = EPOLLOUT.rawValue
    case .nothing: unsafe event.events = 0
    }
    unsafe event.data.u64 = token
    try call { unsafe epoll_ctl(descriptor.rawValue, operation, watched.rawValue, &event) }
  }
}
